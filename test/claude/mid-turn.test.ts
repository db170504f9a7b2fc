/** Events that come in the middle of a turn, and after it: who keeps the lock, with the events that clients really send. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initialise, oneAgent, PACKAGE, scratch, Session, silentFor, working, wrongs } from './driver.ts';
import type { Answer, Scratch } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n' };

const gets = (other: Session, file: string): boolean => other.guard('lock', 'try', file).exit === 0;

/** A recorded event, as this agent's. */
function replayed(agent: Session, name: string, changed: object = {}): Answer {
  const text = fs.readFileSync(join(PACKAGE, 'test/fixtures/payloads', `${name}.json`), 'utf8');
  const event = JSON.parse(text.replaceAll('/repo', agent.scratch.root)) as object;
  return agent.scratch.hook({ ...event, session_id: agent.id, ...changed }, agent.env);
}

/** Agents whose locks are asked for by another one. */
function two(setup: Parameters<typeof oneAgent>[0] = { files }) {
  const { at, agent } = oneAgent(setup);
  const other = working(at);
  agent.lock('a.txt', 'b.txt');
  return { at, agent, other };
}

/** An agent that holds and has written a file of another repository, too. */
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
  return { agent, elsewhere };
}

describe('a message that a person types in mid-turn', () => {
  it('takes nothing from the agent that is at work: it writes both files without another call', () => {
    const { at, agent, other } = two();
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
    const { at, agent } = two();
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
    const { agent, other } = two();
    agent.silent(200_000);
    agent.prompt('hello again');
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('after a compaction in mid-turn still belongs to it', () => {
    const { agent, other } = two();
    replayed(agent, 'SessionStart.compact');
    agent.prompt('go on');
    expect(gets(other, 'a.txt')).toBe(false);
  });

  it.each(['startup', 'resume', 'clear'])('after a SessionStart of source %s is a new turn', (source) => {
    const { agent, other } = two();
    agent.start(source);
    agent.prompt();
    expect(gets(other, 'a.txt')).toBe(true);
  });
});

describe('the end of a turn', () => {
  it('is taken back by the next event of the turn: a Stop hook sent the agent back to work', () => {
    const { at, agent, other } = two();
    agent.read('a.txt');
    replayed(agent, 'Stop');
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
    const { agent, other } = two();
    agent.stop();
    event(agent);
    agent.silent(60_000);
    expect(gets(other, 'a.txt')).toBe(false);
  });

  it('is taken back in the transaction that judges the write, and in no other', () => {
    const { at, agent } = two();
    agent.read('a.txt');
    agent.stop();
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
    agent.stop();
    agent.pre(agent.call('Bash', { command: 'npm test' }));
    elsewhere.silent(60_000);
    expect(elsewhere.isFree()).toBe(false);
    agent.stop();
    elsewhere.silent(3_000);
    expect(elsewhere.isFree()).toBe(true);
  });

  it('that is taken back too late gives nothing back', () => {
    const { agent, other } = two();
    agent.read('a.txt');
    agent.stopped();
    expect(gets(other, 'b.txt')).toBe(true);
    expect(wrongs(agent.edit('a.txt', 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
    expect(wrongs(agent.edit('b.txt', 'one', 'two').pre)).toEqual(['LOCKED_BY_OTHER']);
  });

  it('a session that begins to compact, or looks around, does not take it back', () => {
    const { agent, other } = two();
    agent.stop();
    replayed(agent, 'SessionStart.compact');
    agent.guard('status');
    agent.silent(3_000);
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('is waited for by who wants the file, no longer than it lasts', async () => {
    const { at, agent, other } = two();
    const waiting = at.startGuard(other.env, 'lock', 'wait', 'a.txt', '--timeout', '60s', '--json');
    agent.stop();
    const told = await waiting.done;
    expect(told.exit).toBe(0);
    const [ended] = at.log('turn').filter(({ phase }) => phase === 'end');
    const got = at.log('hold').at(-1);
    const lasted_ms = Date.parse(String(got?.['ts'])) - Date.parse(String(ended?.['ts']));
    expect(lasted_ms).toBeGreaterThanOrEqual(3_000);
  });
});

describe('another Stop hook', () => {
  const hook = (more: object = {}) => ({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: './check.sh', ...more }] }] },
  });
  const user = (at: Scratch, settings: object) =>
    at.put(`${at.home}/.claude/settings.json`, JSON.stringify(settings));

  /** How long after Stop the locks last, in seconds; asked a little before and at that time. */
  function expectGrace(agent: Session, other: Session, seconds: number): void {
    agent.silent((seconds - 1) * 1_000);
    expect(gets(other, 'a.txt'), `after ${seconds - 1} s`).toBe(false);
    agent.silent(1_000);
    expect(gets(other, 'a.txt'), `after ${seconds} s`).toBe(true);
  }

  it.each<[string, object, number]>([
    ['with a timeout may take that long', hook({ timeout: 20 }), 20],
    ['without one may take until a silent agent yields', hook(), 180],
    [
      'that is no command counts as well',
      { hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'ok?', timeout: 40 }] }] } },
      40,
    ],
    ['in the background cannot send anybody back', hook({ async: true, timeout: 40 }), 3],
    [
      'in the background that may wake the agent can',
      hook({ async: true, asyncRewake: true, timeout: 40 }),
      40,
    ],
    ['with a very short timeout leaves the usual time', hook({ timeout: 1 }), 3],
    ['of subagents is none of the session', { hooks: { SubagentStop: hook().hooks.Stop } }, 3],
  ])('in user settings %s', (_, settings, seconds) => {
    const { at, agent, other } = two();
    user(at, settings);
    agent.stop();
    expectGrace(agent, other, seconds);
  });

  it('beside guard in the settings of the project counts, guard itself does not', () => {
    const { at, agent, other } = two();
    const path = '.claude/settings.json';
    const settings = JSON.parse(at.read(path)) as { hooks: Record<string, object[]> };
    settings.hooks['Stop']?.push({ hooks: [{ type: 'command', command: 'npm test', timeout: 25 }] });
    at.put(path, JSON.stringify(settings));
    agent.stop();
    expectGrace(agent, other, 25);
  });

  it('of a plugin counts', () => {
    const { at, agent, other } = two();
    const root = `${at.home}/plugins/checks`;
    at.put(`${root}/hooks/hooks.json`, JSON.stringify(hook({ timeout: 30 })));
    at.put(
      `${at.home}/.claude/plugins/installed_plugins.json`,
      JSON.stringify({ version: 2, plugins: { 'checks@here': [{ installPath: root }] } }),
    );
    user(at, { enabledPlugins: { 'checks@here': true } });
    agent.stop();
    expectGrace(agent, other, 30);
  });

  it('that no file shows is known once it sent the agent back', () => {
    const { agent, other } = two();
    agent.stop({ background_tasks: [], stop_hook_active: true });
    expectGrace(agent, other, 180);
  });

  it('is not asked after an API error, which no hook can take back', () => {
    const { at, agent, other } = two();
    user(at, hook({ timeout: 60 }));
    replayed(agent, 'StopFailure');
    expectGrace(agent, other, 3);
  });
});

describe('a subagent that says that it is done', () => {
  const child = (setup?: Parameters<typeof oneAgent>[0]) => {
    const { at, agent, other } = two(setup);
    const sub = agent.subagent('s1');
    sub.fire('SubagentStart');
    sub.lock('c.txt');
    return { at, sub, other };
  };

  it('gives its locks back at once', () => {
    const { sub, other } = child();
    sub.fire('SubagentStop', { stop_hook_active: false });
    expect(gets(other, 'c.txt')).toBe(true);
  });

  it('keeps them while another hook may send it back to work, and gives them back then', () => {
    const { at, sub, other } = child();
    const SubagentStop = [{ hooks: [{ type: 'command', command: './check.sh', timeout: 20 }] }];
    at.put(`${at.home}/.claude/settings.json`, JSON.stringify({ hooks: { SubagentStop } }));
    sub.fire('SubagentStop', { stop_hook_active: false });
    expect(gets(other, 'c.txt')).toBe(false);
    expect(sub.write('c.txt', 'x').post?.exit).toBe(0);
    sub.fire('SubagentStop', { stop_hook_active: true });
    sub.silent(20_000);
    expect(gets(other, 'c.txt')).toBe(true);
  });
});

describe('a call that a person interrupted', () => {
  const interrupt = (agent: Session) =>
    replayed(agent, 'PostToolUseFailure.Bash.fails', { is_interrupt: true, error: 'Interrupted by user' });

  it('ends the turn: the locks go 3 s later', () => {
    const { agent, other } = two();
    interrupt(agent);
    expect(gets(other, 'a.txt')).toBe(false);
    agent.silent(3_000);
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('is followed by a new turn with the next prompt', () => {
    const { at, agent, other } = two();
    interrupt(agent);
    interrupt(agent);
    agent.prompt('no, the other one');
    expect(gets(other, 'a.txt')).toBe(true);
    expect(at.log('turn').at(-1)).toMatchObject({ phase: 'start' });
  });

  it('was none for the turn when the agent goes on', () => {
    const { agent, other } = two();
    interrupt(agent);
    agent.pre(agent.call('Bash', { command: 'ls' }));
    agent.silent(60_000);
    expect(gets(other, 'a.txt')).toBe(false);
  });
});
