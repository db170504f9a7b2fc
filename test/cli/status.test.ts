/** `guard status`: who is here, what they hold, whom they wait for, for people and as JSON. */
import { describe, expect, it, vi } from 'vitest';
import { oneAgent, scratch, working } from '../claude/driver.ts';

interface Status {
  readonly agents: readonly Readonly<Record<string, unknown>>[];
  readonly leases: readonly Readonly<Record<string, unknown>>[];
}

describe('guard status', () => {
  it('--json has everybody with process, turn, denials and open writes, and every lease with its token', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const other = working(at);
    agent.lock('a.txt');
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    other.write('a.txt', 'y');
    const told = at.guard('status', '--json');
    expect(told.exit).toBe(0);
    expect(told.json()).toMatchObject({
      repository: at.root,
      enforcement: 'required',
      off_until: null,
      agents: [
        { agent: agent.name, kind: 'session', pid: agent.pid, turn: 2, denials: 0, writing: ['a.txt'] },
        { agent: other.name, kind: 'session', pid: other.pid, turn: 2, denials: 1, writing: [] },
      ],
      leases: [{ path: 'a.txt', holder: agent.name, mode: 'exclusive', token: expect.any(Number) as number }],
      waits: [{ from: other.name, to: agent.name, path: 'a.txt', kind: 'wanted' }],
      cycles: [],
    });
  });

  it('shows people fifty rows of each list and how many more there are; --all and --json have all', () => {
    const { at, agent } = oneAgent();
    const files = Array.from({ length: 53 }, (_, nth) => `many/${nth}.txt`);
    agent.guard('lock', 'try', ...files);
    const rows = (...options: string[]): string[] =>
      at
        .guard('status', ...options)
        .stdout.split('\n')
        .filter((line) => /many\/|more/.test(line));
    expect(rows()).toHaveLength(51);
    expect(rows().at(-1)).toBe('  and 3 more: guard status --all');
    expect(rows('--all')).toHaveLength(53);
    expect((at.guard('status', '--json').json() as Status).leases).toHaveLength(53);
  });

  it('shows subagents and people, and leaves out who left', () => {
    const { at, agent } = oneAgent();
    agent.subagent('s1').fire('SubagentStart');
    at.guard('lock', 'try', 'a', '--agent', 'somebody@host:pts-1');
    const left = working(at);
    left.end();
    const { agents } = at.guard('status', '--json').json() as Status;
    expect(agents.map(({ agent: name, kind }) => [name, kind])).toEqual([
      [agent.name, 'session'],
      [`${agent.name}/s1`, 'subagent'],
      ['somebody@host:pts-1', 'person'],
    ]);
  });

  it('says to people what they need in aligned lines, and that guard is off', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    at.put(
      `${at.state}/off.json`,
      JSON.stringify({ since_wall_ms: Date.now() - 1, until_wall_ms: Date.now() + 60_000, by: 'me' }),
    );
    const { stdout } = at.guard('status');
    expect(stdout).toContain(`${at.root}  locks required`);
    expect(stdout).toMatch(/guard is off until .*: writes are not checked/);
    expect(stdout).toMatch(new RegExp(`a\\.txt +${agent.name} +until .* token \\d+`));
    expect(scratch().guard('status').stdout).toContain('No agent is here.');
  });

  it('--watch shows it again when something happens, and ends with Ctrl-C', async () => {
    const { at, agent } = oneAgent();
    const watching = at.startGuard({}, 'status', '--watch', '--json');
    const shown = () =>
      (watching.told().match(/.*\n/g) ?? []).map((line) => (JSON.parse(line) as Status).leases.length);
    const shows = (leases: number) =>
      vi.waitFor(() => expect(shown().at(-1)).toBe(leases), { timeout: 20_000, interval: 20 });
    await shows(0);
    agent.lock('a.txt');
    await shows(1);
    watching.signal('SIGINT');
    expect((await watching.done).exit).toBe(0);
  });

  it('outside of a guarded repository: exit 2 and a hint', () => {
    const told = scratch({ init: null }).guard('status', '--json');
    expect([told.exit, told.json()]).toMatchObject([2, { error: { code: 'GUARD_ERR_NOT_INITIALISED' } }]);
  });
});
