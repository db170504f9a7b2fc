/** `guard join` and `guard leave`, for people and for sessions. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch, working } from '../claude/driver.ts';

interface Row {
  readonly agent_id: string;
  readonly name: string;
  readonly status: string;
}

const agents = (at: Scratch): Row[] => (at.guard('agents', '--json').json() as { agents: Row[] }).agents;
const ids = (at: Scratch): string[] => agents(at).map(({ agent_id }) => agent_id);

describe('guard join', () => {
  it('says who one is, who else is here, and what they hold', () => {
    const at = scratch();
    at.guard('lock', 'try', 'src/a.ts', '--agent', 'b');
    at.guard('reserve', 'docs/**', '--reason', 'r', '--agent', 'b');
    const told = at.guard('join', '--agent', 'a', '--name', 'router', '--can', 'css, go', '--json').json();
    expect(told).toMatchObject({
      agent: { agent_id: 'a', name: 'router', capabilities: ['css', 'go'], status: 'active' },
      others: [{ agent_id: 'b', files: ['src/a.ts'], reservations: [{ path_pattern: 'docs/**' }] }],
    });
    const words = at.guard('join', '--agent', 'a', '--status', 'reads \u001b[2J').stdout;
    expect(words).toMatch(
      /^You are router \(a\) in repo\.\nAlso here:\n {2}\S+-\S+ {2}b {2}.*holds src\/a\.ts, docs/,
    );
    expect(at.guard('agents').stdout).toContain('reads \\x1b[2J');
    expect(at.guard('join', '--agent', 'b', '--name', 'router').exit).toBe(64);
    expect(at.guard('join', '--agent', 'b', '--name', 'two words').exit).toBe(64);
  });

  it('alone says so', () => {
    const at = scratch();
    expect(at.guard('join', '--agent', 'a').stdout).toContain('No one else is here.');
  });
});

describe('guard leave', () => {
  it('releases everything, changes nothing the second time, and joining brings the agent back', () => {
    const at = scratch();
    at.guard('join', '--agent', 'a', '--name', 'router');
    at.guard('lock', 'try', 'x', 'y', '--agent', 'a');
    at.guard('reserve', 'docs/**', '--reason', 'r', '--agent', 'a');
    const told = at.guard('leave', '--agent', 'a', '--json').json();
    expect(told).toMatchObject({ agent_id: 'a', was_here: true, released_files: ['x', 'y'] });
    expect((told as { released_reservations: string[] }).released_reservations.length).toBe(1);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [], leases: [], reservations: [] });
    expect(ids(at)).toEqual([]);
    const records = at.log().length;
    const again = at.guard('leave', '--agent', 'a');
    expect([again.exit, again.stdout, at.log().length]).toEqual([0, 'a was not here\n', records]);
    at.guard('join', '--agent', 'a');
    expect(agents(at)).toMatchObject([{ agent_id: 'a', name: 'router' }]);
  });

  it('of an agent that then takes a lock at once does not hide it', () => {
    const at = scratch();
    at.guard('join', '--agent', 'a');
    at.guard('leave', '--agent', 'a');
    at.guard('lock', 'try', 'x', '--agent', 'a');
    expect(ids(at)).toEqual(['a']);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ agent: 'a' }] });
  });

  it('ends a concurrent wait', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'x', '--agent', 'b');
    const waiting = at.startGuard({}, 'lock', 'wait', 'x', '--agent', 'a', '--timeout', '60s', '--json');
    while (at.log('wait').length === 0) await new Promise((done) => setTimeout(done, 20));
    expect(at.guard('leave', '--agent', 'a').exit).toBe(0);
    const done = await waiting.done;
    expect([done.exit, JSON.parse(done.stdout)]).toMatchObject([1, { results: [{ error: 'cancelled' }] }]);
    expect(at.guard('status', '--json').json()).toMatchObject({ waits: [] });
  });

  it('in a session is for that session only', () => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    const [one, two] = [working(at), working(at)];
    two.lock('a.txt');
    expect(one.guard('leave', '--agent', two.name).exit).toBe(64);
    expect(ids(at)).toContain(two.name);
    expect(one.guard('leave').exit).toBe(0);
    expect(ids(at)).toEqual([two.name]);
    one.stop();
    expect(ids(at)).toEqual([two.name]);
    one.prompt();
    expect(ids(at)).toContain(one.name);
  });
});

describe('a session that is resumed', () => {
  it('is the same agent: one row, with the same name', () => {
    const at = scratch();
    const first = working(at);
    first.guard('join', '--name', 'router');
    first.end();
    const again = working(at, { id: first.id });
    again.start('resume');
    expect(agents(at)).toMatchObject([{ agent_id: first.name, name: 'router' }]);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ agent: first.name }] });
  });

  it('that was never given a name keeps the one its id makes, subagents have their own', () => {
    const at = scratch();
    const first = working(at);
    const [{ name } = { name: '' }] = agents(at);
    first.end();
    const again = working(at, { id: first.id });
    again.start('resume');
    again.subagent('s1').fire('SubagentStart');
    const rows = agents(at);
    expect(rows.map(({ agent_id }) => agent_id)).toEqual([first.name, `${first.name}/s1`]);
    expect(rows[0]?.name).toBe(name);
    expect(new Set(rows.map((row) => row.name)).size).toBe(2);
  });
});
