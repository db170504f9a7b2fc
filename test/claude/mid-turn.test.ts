/** Events in the middle of a turn and after it: who keeps the lock, with the events that clients really send. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gets, lockedAgent, replayed } from './driver/locked.ts';
import { initialise, oneAgent, scratch, Session, silentFor, wrongs } from './driver.ts';

/** An agent that holds a file in another repository too, and tried to write it. */
function abroad() {
  const { agent } = oneAgent();
  const there = scratch();
  initialise({ ...there, guard: (...args) => there.guardWith({ HOME: agent.scratch.home }, ...args) }, []);
  there.guardWith({ ...agent.env, CLAUDE_PROJECT_DIR: agent.scratch.root }, 'lock', 'try', 'a.txt');
  const call = agent.call('Write', { file_path: there.path('a.txt'), content: 'x' });
  expect(agent.pre(call).exit).toBe(0);
  agent.failed(call, 'no');
  const stranger = new Session(there);
  const elsewhere = {
    isFree: (): boolean => gets(stranger, 'a.txt'),
    silent: (duration_ms: number): void => silentFor(there.state, agent.name, duration_ms),
  };
  return { agent, elsewhere, there };
}

describe('a message that a person types in mid-turn', () => {
  it('takes nothing from the agent that is at work: it writes both files without another call', () => {
    const { at, agent, other } = lockedAgent();
    agent.read('a.txt');
    agent.read('b.txt');
    expect(agent.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    replayed(agent, 'UserPromptSubmit', { prompt: 'and mind the tests' });
    expect(gets(other, 'b.txt')).toBe(false);
    expect(agent.edit('b.txt', 'one', 'two').post?.exit).toBe(0);
    expect(at.log('turn').map(({ phase, turn }) => [phase, turn])).toContainEqual(['continue', 2]);
    expect(at.log('write.rejected')).toEqual([]);
  });

  it('leaves a stale file stale: what the agent saw in this turn still counts', () => {
    const { at, agent } = lockedAgent();
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    agent.prompt('go on');
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('keeps the locks in another repository', () => {
    const { agent, elsewhere } = abroad();
    agent.prompt('go on');
    expect(elsewhere.isFree()).toBe(false);
  });

  it('after a long silence is a new turn', () => {
    const { agent, other } = lockedAgent();
    agent.silent(200_000);
    agent.prompt('hello again');
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('after a compaction in mid-turn still belongs to it', () => {
    const { agent, other } = lockedAgent();
    replayed(agent, 'SessionStart.compact');
    agent.prompt('go on');
    expect(gets(other, 'a.txt')).toBe(false);
  });

  it.each(['startup', 'resume', 'clear'])('after a SessionStart of source %s is a new turn', (source) => {
    const { agent, other } = lockedAgent();
    agent.start(source);
    agent.prompt();
    expect(gets(other, 'a.txt')).toBe(true);
  });
});

describe('the end of a turn', () => {
  it('is taken back by the next event of the turn: a Stop hook sent the agent back to work', () => {
    const { at, agent, other } = lockedAgent();
    agent.read('a.txt');
    replayed(agent, 'Stop');
    agent.silent(-60_000);
    expect(agent.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    agent.silent(60_000);
    expect(gets(other, 'b.txt')).toBe(false);
    replayed(agent, 'Stop', { stop_hook_active: true });
    expect(at.log('turn').filter(({ phase }) => phase === 'end')).toHaveLength(2);
  });

  it.each<[string, (agent: Session) => unknown]>([
    ['PreToolUse of Bash', (agent) => agent.pre(agent.call('Bash', { command: 'npm test' }))],
    ['PostToolUse of Read', (agent) => agent.read('b.txt')],
    ['PostToolUseFailure', (agent) => replayed(agent, 'PostToolUseFailure.Bash.fails')],
    ['PostToolBatch', (agent) => replayed(agent, 'PostToolBatch.two-reads')],
    [
      'a call of a lock tool',
      (agent) => agent.pre(agent.call('mcp__guard__lock_try', { filepaths: ['a.txt'] })),
    ],
    ['a background task that ended', (agent) => agent.prompt('<task-notification>\n<task-id>t</task-id>\n')],
  ])('is taken back by %s', (_, event) => {
    const { agent, other } = lockedAgent();
    agent.stopping();
    event(agent);
    agent.silent(120_000);
    expect(gets(other, 'a.txt')).toBe(false);
  });

  it('is taken back in the transaction that judges the write, and in no other', () => {
    const { at, agent } = lockedAgent();
    agent.read('a.txt');
    agent.stopping();
    const before = at.log().length;
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    expect(
      at
        .log()
        .slice(before)
        .map(({ type }) => type),
    ).toEqual(['intent']);
  });

  it('is taken back in another repository, too', () => {
    const { agent, elsewhere } = abroad();
    agent.stopping();
    elsewhere.silent(-60_000);
    agent.pre(agent.call('Bash', { command: 'npm test' }));
    elsewhere.silent(120_000);
    expect(elsewhere.isFree()).toBe(false);
    agent.stop();
    elsewhere.silent(3_000);
    expect(elsewhere.isFree()).toBe(true);
  });

  it('is taken back though the other repository is broken: nothing there is asked for', () => {
    const { agent, there } = abroad();
    const { scratch: at } = agent;
    at.put('b.txt', 'one\n');
    agent.lock('b.txt');
    agent.read('b.txt');
    fs.rmSync(there.state, { recursive: true });
    agent.stopping();
    expect(agent.edit('b.txt', 'one', 'two').pre.exit).toBe(0);
    expect(gets(new Session(at), 'b.txt')).toBe(false);
  });

  it('that is taken back too late gives nothing back', () => {
    const { agent, other } = lockedAgent();
    agent.read('a.txt');
    agent.stopped();
    expect(gets(other, 'b.txt')).toBe(true);
    expect(wrongs(agent.edit('a.txt', 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
    expect(wrongs(agent.edit('b.txt', 'one', 'two').pre)).toEqual(['LOCKED_BY_OTHER']);
  });

  it('a session that begins to compact, or looks around, does not take it back', () => {
    const { agent, other } = lockedAgent();
    agent.stop();
    replayed(agent, 'SessionStart.compact');
    agent.guard('status');
    agent.silent(3_000);
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('is waited for by who wants the file, no longer than it lasts', async () => {
    const { at, agent, other } = lockedAgent();
    const waiting = at.startGuard(other.env, 'lock', 'wait', 'a.txt', '--timeout', '60s', '--json');
    agent.stop();
    const told = await waiting.done;
    expect(told.exit).toBe(0);
    const [ended] = at.log('turn').filter(({ phase }) => phase === 'end');
    const got = at.log('hold').at(-1);
    const lasted_ms = Date.parse(String(got?.['ts'])) - Date.parse(String(ended?.['ts']));
    // The delay starts when the hook reads the clock; the record is dated later, when it is appended.
    expect(lasted_ms).toBeGreaterThan(2_000);
  });
});
