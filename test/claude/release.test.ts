/** When leases end: with the turn, by policy, and never while a command is still running. */
import { describe, expect, it } from 'vitest';
import { initialise, oneAgent, scratch, silentFor, working } from './driver.ts';
import type { Answer, Scratch, Session } from './driver.ts';

const holder = (at: Scratch, file = 'a.txt'): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

function over(agent: Session, event: string, fields: object): Answer {
  const answer = agent.fire(event, { ...fields });
  agent.silent(3_000);
  return answer;
}

describe('release_on stop, the default: the lock ends', () => {
  it.each<[string, (agent: Session) => Answer]>([
    ['3 s after Stop', (agent) => agent.stopped()],
    ['3 s after Stop of a client that says nothing of background tasks', (agent) => agent.stopped({})],
    ['3 s after StopFailure', (agent) => over(agent, 'StopFailure', { error: 'unknown' })],
    ['at the next prompt, where a Stop came', (agent) => (agent.stop(), agent.prompt('again'))],
    [
      'at a prompt after a long silence, where no Stop came',
      (agent) => (agent.silent(200_000), agent.prompt()),
    ],
    ['at SessionEnd', (agent) => agent.end()],
  ])('%s', (_, end) => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    expect(holder(at)).toBe(agent.name);
    expect(end(agent)).toMatchObject({ exit: 0, stderr: '' });
    expect(holder(at)).toBeNull();
  });

  it('but not at events in mid-turn', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    agent.start('compact');
    agent.batch();
    agent.prompt('<task-notification>\n<task-id>other</task-id>\n</task-notification>');
    expect(holder(at)).toBe(agent.name);
  });

  it('and what was waited for or wanted is forgotten with it', () => {
    const { at, agent } = oneAgent();
    working(at).lock('a.txt');
    agent.guard('lock', 'try', 'a.txt');
    expect(at.guard('status', '--json').json()).toMatchObject({
      waits: [{ from: agent.name, kind: 'wanted' }],
    });
    agent.stop();
    expect(at.guard('status', '--json').json()).toMatchObject({ waits: [] });
  });
});

describe('release_on, fixed by the configuration', () => {
  it('session_end keeps the lock over Stop and prompts, until SessionEnd', () => {
    const { at, agent } = oneAgent({ config: { release_on: 'session_end' } });
    agent.lock('a.txt');
    agent.stop();
    agent.prompt('next');
    expect(holder(at)).toBe(agent.name);
    agent.end();
    expect(holder(at)).toBeNull();
  });

  it('never keeps it over Stop; the end of the session ends it all the same', () => {
    const { at, agent } = oneAgent({ config: { release_on: 'never' } });
    agent.lock('a.txt');
    agent.stop();
    agent.prompt('next');
    expect(holder(at)).toBe(agent.name);
    agent.end();
    expect(holder(at)).toBeNull();
  });
});

describe('a background command', () => {
  const launch = (agent: Session, task: string, input: object = { run_in_background: true }): Answer =>
    agent.post(agent.call('Bash', { command: 'make', ...input }), { stdout: '', backgroundTaskId: task });
  const running = (task: string) => ({
    background_tasks: [{ id: task, type: 'shell', status: 'running', command: 'make' }],
  });

  it('keeps the locks over Stop and the next prompt until it is reported as finished', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    launch(agent, 'b1');
    agent.stop(running('b1'));
    agent.prompt('next');
    expect(holder(at)).toBe(agent.name);
    agent.prompt(
      '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>',
    );
    agent.stopped();
    expect(holder(at)).toBeNull();
  });

  it('that was stopped ends without a notification: the list of the next Stop is believed', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    launch(agent, 'b1');
    agent.stopped();
    expect(holder(at)).toBeNull();
  });

  it('that the client moved to the background at its timeout counts too', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    launch(agent, 'b2', {});
    agent.fire('StopFailure', { error: 'unknown' });
    expect(holder(at)).toBe(agent.name);
  });

  it('of a session that ends keeps nothing', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    launch(agent, 'b1');
    agent.end();
    expect(holder(at)).toBeNull();
  });
});

describe('a lock in another repository', () => {
  it('ends with the turn of its holder too', () => {
    const { at, agent } = oneAgent();
    const other = scratch();
    initialise({ ...other, guard: (...args) => other.guardWith({ HOME: at.home }, ...args) }, []);
    const told = other.guardWith({ ...agent.env, CLAUDE_PROJECT_DIR: at.root }, 'lock', 'try', 'b.txt');
    expect(told.exit).toBe(0);
    const call = agent.call('Write', { file_path: other.path('b.txt'), content: 'x' });
    expect(agent.pre(call).exit).toBe(0);
    agent.failed(call, 'no');
    agent.stop();
    silentFor(other.state, agent.name, 3_000);
    expect(holder(other, 'b.txt')).toBeNull();
  });
});
