/** How long locks outlast the end of a turn: which events may send the agent back to work, and which may not. */
import { describe, expect, it } from 'vitest';
import { gets, lockedAgent, replayed } from './driver/locked.ts';
import type { TurnOver } from '../../src/core/types.ts';
import type { Scratch, Session } from './driver.ts';

describe('another Stop hook', () => {
  const hook = (more: object = {}) => ({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: './check.sh', ...more }] }] },
  });
  const user = (at: Scratch, settings: object) =>
    at.put(`${at.home}/.claude/settings.json`, JSON.stringify(settings));

  function expectGrace(agent: Session, other: Session, seconds: number): void {
    const state = agent.scratch.log('turn').at(-1)?.['s'] as Record<string, { turn_over?: TurnOver }>;
    const { since_mono_ms = 0, gone_mono_ms = 0 } = state[`agent:${agent.name}`]?.turn_over ?? {};
    expect(gone_mono_ms - since_mono_ms).toBe(seconds * 1_000);
    agent.silent(seconds * 1_000);
    expect(gets(other, 'a.txt')).toBe(true);
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
    const { at, agent, other } = lockedAgent();
    user(at, settings);
    agent.stop();
    expectGrace(agent, other, seconds);
  });

  it('beside guard in the settings of the project counts, guard itself does not', () => {
    const { at, agent, other } = lockedAgent();
    const path = '.claude/settings.json';
    const settings = JSON.parse(at.read(path)) as { hooks: Record<string, object[]> };
    settings.hooks['Stop']?.push({ hooks: [{ type: 'command', command: 'npm test', timeout: 25 }] });
    at.put(path, JSON.stringify(settings));
    agent.stop();
    expectGrace(agent, other, 25);
  });

  it('of a plugin counts', () => {
    const { at, agent, other } = lockedAgent();
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

  it.each<[string, (at: Scratch) => void]>([
    ['where the plugins of a user would be is a file', (at) => at.put(`${at.home}/.claude/skills`, '')],
    [
      'a plugin names events that no client has',
      (at) => {
        const root = `${at.home}/.claude/skills/odd`;
        at.put(`${root}/.claude-plugin/plugin.json`, '{}');
        at.put(`${root}/hooks/hooks.json`, '{"hooks":{"constructor":[{}],"__proto__":[{}]}}');
      },
    ],
    [
      'settings have none of the types that they should',
      (at) => user(at, { enabledPlugins: [1], hooks: { Stop: [null, { hooks: [null, 7] }] } }),
    ],
  ])('is looked for, and the turn ends, where %s', (_, make) => {
    const { at, agent, other } = lockedAgent();
    make(at);
    expect(agent.stop().stderr).toBe('');
    expectGrace(agent, other, 3);
  });

  it.each<[string, (agent: Session) => unknown]>([
    [
      'its Agent call',
      (agent) => agent.post(agent.call('Agent', {}), { status: 'completed', agentId: 's1', content: [] }),
    ],
    [
      'its task in the background',
      (agent) =>
        agent.prompt(
          '<task-notification>\n<task-id>s1</task-id>\n<status>completed</status></task-notification>',
        ),
    ],
  ])('of subagents may send one back, until the end of %s: then it has left', (_, finish) => {
    const { at, agent } = lockedAgent();
    user(at, { hooks: { SubagentStop: hook().hooks.Stop } });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    child.fire('SubagentStop', { background_tasks: [] });
    const here = (): boolean => at.guard('status').stdout.includes(child.name);
    expect(here()).toBe(true);
    finish(agent);
    expect(here()).toBe(false);
  });

  it('that no file shows is known once it sent the agent back', () => {
    const { agent, other } = lockedAgent();
    agent.stop({ background_tasks: [], stop_hook_active: true });
    expectGrace(agent, other, 180);
  });

  it('is not asked after an API error, which no hook can take back', () => {
    const { at, agent, other } = lockedAgent();
    user(at, hook({ timeout: 60 }));
    replayed(agent, 'StopFailure');
    expectGrace(agent, other, 3);
  });
});

describe('a subagent that says that it is done', () => {
  const child = () => {
    const { at, agent, other } = lockedAgent();
    const sub = agent.subagent('s1');
    sub.fire('SubagentStart');
    sub.lock('c.txt');
    return { at, agent, sub, other };
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

  it('gives them back when the call that it worked in is over: then no hook can', () => {
    const { at, agent, sub, other } = child();
    const SubagentStop = [{ hooks: [{ type: 'command', command: './notify.sh' }] }];
    at.put(`${at.home}/.claude/settings.json`, JSON.stringify({ hooks: { SubagentStop } }));
    sub.fire('SubagentStop', { stop_hook_active: false, background_tasks: [] });
    const done = (agentId: string, status: string) =>
      agent.post(agent.call('Agent', { prompt: 'x', subagent_type: 'y' }), { status, agentId });
    done('s1', 'async_launched');
    done('s2', 'completed');
    expect(gets(other, 'c.txt')).toBe(false);
    done('s1', 'completed');
    expect(gets(other, 'c.txt')).toBe(true);
  });
});

describe('a call that a person interrupted', () => {
  const interrupt = (agent: Session) =>
    replayed(agent, 'PostToolUseFailure.Bash.fails', { is_interrupt: true, error: 'Interrupted by user' });

  it('ends the turn: the locks go 3 s later', () => {
    const { agent, other } = lockedAgent();
    interrupt(agent);
    agent.silent(-60_000);
    expect(gets(other, 'a.txt')).toBe(false);
    agent.silent(63_000);
    expect(gets(other, 'a.txt')).toBe(true);
  });

  it('is followed by a new turn with the next prompt', () => {
    const { at, agent, other } = lockedAgent();
    interrupt(agent);
    interrupt(agent);
    agent.prompt('no, the other one');
    expect(gets(other, 'a.txt')).toBe(true);
    expect(at.log('turn').at(-1)).toMatchObject({ phase: 'start' });
  });

  it('was none for the turn when the agent goes on', () => {
    const { agent, other } = lockedAgent();
    interrupt(agent);
    agent.silent(-60_000);
    agent.pre(agent.call('Bash', { command: 'ls' }));
    agent.silent(120_000);
    expect(gets(other, 'a.txt')).toBe(false);
  });
});
