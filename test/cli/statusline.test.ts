/** `guard statusline`, called as the client does, with JSON on standard input. */
import { describe, expect, it } from 'vitest';
import { GUARD, oneAgent, runNow, scratch, type Scratch, working } from '../claude/driver.ts';

interface Told {
  readonly line: string;
  readonly guarded: boolean;
  readonly why?: string;
  readonly locks?: number;
  readonly waiters?: number;
  readonly waits_ms?: number | null;
}

/** The part of Claude Code 2.1.330's status line input that guard reads. */
const eventOf = (at: Scratch, session_id: string, cwd = at.root): string =>
  JSON.stringify({
    session_id,
    transcript_path: `${at.home}/.claude/projects/-repo/${session_id}.jsonl`,
    cwd,
    model: { id: 'claude', display_name: 'Claude' },
    workspace: { current_dir: cwd, project_dir: at.root, added_dirs: [] },
    version: '2.1.330',
  });

function line(at: Scratch, stdin: string, ...args: readonly string[]) {
  const done = runNow({
    ...{ args: [GUARD, 'statusline', ...args], cwd: at.home, stdin },
    env: { ...at.env, NO_COLOR: '1' },
  });
  return { exit: done.exit, text: done.stdout, json: () => JSON.parse(done.stdout) as Told };
}

const told = (at: Scratch, session: string): Told => line(at, eventOf(at, session), '--json').json();

describe('guard statusline', () => {
  it('counts the locks of a session and of its subagents, in any directory', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt', 'b.txt');
    const sub = agent.subagent('s1');
    sub.fire('SubagentStart');
    at.guard('lock', 'try', 'c.txt', '--agent', 'somebody');
    expect(told(at, agent.id)).toMatchObject({ guarded: true, locks: 2, waiters: 0, waits_ms: null });
    expect(line(at, eventOf(at, agent.id)).text).toBe('2 locks\n');
    // It changed directory; its hooks remain those of the directory where it started.
    expect(line(at, eventOf(at, agent.id, at.home)).text).toBe('2 locks\n');
    agent.stopped();
    expect(line(at, eventOf(at, agent.id)).text).toBe('no locks\n');
  });

  it('says how many wait for it, and tells a waiter that it waits', async () => {
    const { at, agent } = oneAgent();
    const other = working(at);
    agent.lock('a.txt');
    const waiting = at.startGuard(other.env, 'lock', 'wait', 'a.txt', '--timeout', '60s');
    await expect.poll(() => told(at, agent.id).waiters, { timeout: 30_000 }).toBe(1);
    expect(line(at, eventOf(at, agent.id)).text).toBe('1 lock, 1 waits on you\n');
    expect(told(at, other.id)).toMatchObject({
      locks: 0,
      waiters: 0,
      waits_ms: expect.any(Number) as number,
    });
    waiting.signal('SIGTERM');
    await waiting.done;
    // An agent that gave up waits for no one.
    expect(told(at, agent.id).waiters).toBe(0);
  });

  it('says that guard is off, and for how long', () => {
    const { at, agent } = oneAgent();
    at.put(
      `${at.state}/off.json`,
      JSON.stringify({ since_wall_ms: Date.now() - 1, until_wall_ms: Date.now() + 500_000, by: 'me' }),
    );
    expect(line(at, eventOf(at, agent.id)).text).toBe('no locks, guard off 8m\n');
  });

  it('says that a session whose hooks never ran, or that has ended, is unguarded', () => {
    const { at, agent } = oneAgent();
    expect(told(at, 'never-seen')).toMatchObject({ guarded: false, why: 'never_joined' });
    agent.end();
    expect(told(at, agent.id).why).toBe('never_joined');
    expect(told(scratch({ init: null }), agent.id).why).toBe('not_set_up');
  });

  it('says so where guard itself is broken, and never fails: the client would show nothing', () => {
    const { at, agent } = oneAgent();
    at.put(`${at.state}/install.json`, '{');
    const broken = line(at, eventOf(at, agent.id));
    expect([broken.exit, /guard: GUARD_ERR_\w+ \(guard doctor\)/.test(broken.text)]).toEqual([0, true]);
    for (const stdin of ['', '{', '[]', 'null', '{"session_id":5,"workspace":7}'])
      expect(line(at, stdin).exit, stdin).toBe(0);
  });

  it('writes nothing into the ledger', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    const before = at.log().length;
    line(at, eventOf(at, agent.id));
    line(at, eventOf(at, 'never-seen'));
    expect(at.log()).toHaveLength(before);
  });

  it('comes after another status line, which gets the same input', () => {
    const { at, agent } = oneAgent();
    const stdin = eventOf(at, agent.id);
    const read = `${process.execPath} -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>console.log(JSON.parse(s).model.id))'`;
    expect(line(at, stdin, '--beside', read).text).toBe('claude | no locks\n');
    expect(line(at, stdin, '--beside', 'echo one; echo two; exit 3').text).toBe('one | no locks\ntwo\n');
    expect(line(at, stdin, '--beside', 'no-such-program 2>/dev/null').text).toBe('no locks\n');
  });

  it('does not wait for what another status line left running', () => {
    const { at, agent } = oneAgent();
    const began_ms = performance.now();
    expect(line(at, eventOf(at, agent.id), '--beside', 'sleep 30 & echo one').text).toBe('one | no locks\n');
    expect(performance.now() - began_ms).toBeLessThan(20_000);
  });
});
