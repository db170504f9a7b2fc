/** `guard status`: active agents, their locks and whom they wait for, for people and as JSON. */
import { describe, expect, it, vi } from 'vitest';
import { oneAgent, scratch, working } from '../claude/driver.ts';

interface Status {
  readonly agents: readonly Readonly<Record<string, unknown>>[];
  readonly leases: readonly Readonly<Record<string, unknown>>[];
}

describe('guard status', () => {
  it('--json lists every agent with process, turn, denials and open writes, and every lease with its token', () => {
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

  it('shows people many files of a directory as one row, and fifty rows of each list; --all and --json have all', () => {
    const { at, agent } = oneAgent();
    const files = Array.from({ length: 53 }, (_, nth) => `a/${nth}.txt`);
    const apart = Array.from({ length: 53 }, (_, nth) => `d${nth}/a.txt`);
    agent.guard('lock', 'try', ...files, ...apart);
    const rows = (...options: string[]): string[] =>
      at
        .guard('status', ...options)
        .stdout.split('\n')
        .filter((line) => /^ {2}(53 files in a|(a|d\d+)\/\S+|and \d+ more)/.test(line));
    const folded = rows();
    expect(folded.filter((line) => line.startsWith('  53 files in a '))).toHaveLength(1);
    expect(folded.at(-1)).toBe('  and 4 more: guard status --all');
    expect(rows('--all').filter((line) => /^ {2}(a|d\d+)\//.test(line))).toHaveLength(106);
    expect((at.guard('status', '--json').json() as Status).leases).toHaveLength(106);
  });

  it('uses the names that agents chose, and says who waits for whom and for how long', async () => {
    const { at, agent } = oneAgent();
    agent.guard('join', '--name', 'ann');
    at.guard('join', '--name', 'bob', '--agent', 'somebody');
    agent.lock('a.txt');
    const waiting = at.startGuard({}, 'lock', 'wait', 'a.txt', '--agent', 'somebody', '--timeout', '60s');
    await vi.waitFor(
      () => expect(at.guard('status').stdout).toMatch(/^ {2}bob +waits +\d+s +a\.txt +held by ann$/m),
      {
        timeout: 30_000,
      },
    );
    expect(at.guard('status', '--json').json()).toMatchObject({
      agents: [{ agent: agent.name, name: 'ann', drafted: null }, { name: 'bob' }],
      waits: [{ from: 'somebody', since: expect.stringMatching(/^20.*Z$/) as string }],
    });
    waiting.signal('SIGTERM');
    await waiting.done;
  });

  it('shows what was refused in the last minutes, and why', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const other = working(at);
    agent.lock('a.txt');
    other.write('a.txt', 'y');
    other.write('a.txt', 'z');
    const { denials } = at.guard('status', '--json').json() as { denials: readonly object[] };
    expect(denials).toMatchObject([
      { agent: other.name, tool: 'Write', paths: ['a.txt'], error_type: 'LOCKED_BY_OTHER' },
      { agent: other.name },
    ]);
    expect(at.guard('status').stdout).toMatch(/denied +\d+s +\S+: LOCKED_BY_OTHER \(2 times\) +a\.txt/);
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
    expect(stdout).toMatch(/guard is off for \d+s: writes are not checked/);
    expect(stdout).toMatch(/^ {2}a\.txt +[a-z]+-[a-z]+ +\d+s +/m);
    expect(stdout).toContain(agent.name);
    expect(scratch().guard('status').stdout).toContain('No active agents.');
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
