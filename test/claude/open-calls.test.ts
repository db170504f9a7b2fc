/** Long tool calls, as the client reports them: recorded only while they are open. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenCall } from '../../src/core/types.ts';
import { openEmbedded } from '../store/plain.ts';
import { readNow } from '../../src/repo/clock.ts';
import { oneAgent, PACKAGE, type Scratch, type Session, working, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n' };

interface Agent {
  readonly calls?: readonly OpenCall[];
  readonly children?: readonly string[];
  readonly active_mono_ms: number;
}

function stateOf(at: Scratch, agent: Session): Agent {
  const store = openEmbedded(at.state, { now: readNow });
  const state = store.readSync([`agent:${agent.name}`]).get(`agent:${agent.name}`) as unknown as Agent;
  store.closeSync();
  return state;
}
const open = (at: Scratch, agent: Session): string[] => (stateOf(at, agent).calls ?? []).map(({ id }) => id);
const bash = (agent: Session, input: object = {}) =>
  agent.call('Bash', { command: 'make', timeout: 600_000, ...input });

/** Assigns every recorded event to this agent's session. */
function recorded(name: string, agent: Session): object {
  const text = fs.readFileSync(join(PACKAGE, 'test/fixtures/payloads', name), 'utf8');
  const payload = JSON.parse(text.replaceAll('/repo', agent.scratch.root)) as object;
  return { ...payload, session_id: agent.id };
}

describe('a Bash call', () => {
  it('with a long timeout is open until its end, which may be a failure', () => {
    const { at, agent } = oneAgent({ files });
    const [one, two] = [bash(agent), bash(agent)];
    agent.pre(one);
    agent.pre(two);
    expect(open(at, agent)).toEqual([one.id, two.id]);
    const [call] = stateOf(at, agent).calls ?? [];
    expect((call?.until_mono_ms ?? 0) - (call?.since_mono_ms ?? 0)).toBe(660_000);
    agent.failed(one, 'Exit code 1');
    expect(open(at, agent)).toEqual([two.id]);
    agent.post(two, { stdout: '' });
    expect(open(at, agent)).toEqual([]);
  });

  it('whose end nobody tells ends with its batch', () => {
    const { at, agent } = oneAgent({ files });
    const call = bash(agent);
    agent.pre(call);
    agent.batch(agent.call('Read', {}));
    expect(open(at, agent)).toEqual([call.id]);
    agent.batch(call);
    expect(open(at, agent)).toEqual([]);
  });

  it('that ends before a silence counts costs no record', () => {
    const { at, agent } = oneAgent({ files });
    const before = at.log().length;
    const call = agent.call('Bash', { command: 'make' });
    agent.pre(call);
    agent.post(call, { stdout: '' });
    expect(at.log()).toHaveLength(before);
  });

  it('costs two where it may be longer: its begin and its end', () => {
    const { at, agent } = oneAgent({ files });
    const before = at.log().length;
    const call = bash(agent);
    agent.pre(call);
    agent.post(call, { stdout: '' });
    agent.batch(call);
    expect(
      at
        .log()
        .slice(before)
        .map(({ type, phase }) => [type, phase]),
    ).toEqual([
      ['call', 'begin'],
      ['call', 'end'],
    ]);
  });

  it('in the background returns at once', () => {
    const { at, agent } = oneAgent({ files });
    agent.pre(bash(agent, { run_in_background: true }));
    expect(open(at, agent)).toEqual([]);
  });

  it.each([
    ['a default that a person raised', { BASH_DEFAULT_TIMEOUT_MS: '900000' }, {}, 960_000],
    ['a maximum that a person raised', { BASH_MAX_TIMEOUT_MS: '3600000' }, { timeout: 3_600_000 }, 3_660_000],
    ['more than the maximum', {}, { timeout: 3_600_000 }, 660_000],
  ])('lasts as the client lets it: %s', (_, env, input, lasts_ms) => {
    const { at, agent } = oneAgent({ files }, { env });
    agent.pre(agent.call('Bash', { command: 'make', ...input }));
    const [call] = stateOf(at, agent).calls ?? [];
    expect((call?.until_mono_ms ?? 0) - (call?.since_mono_ms ?? 0)).toBe(lasts_ms);
  });

  it('of a lock server that is asked to wait beyond all dates counts for a day', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.pre(agent.call('mcp__guard__lock_wait', { filepaths: ['b.txt'], timeout_seconds: 1e300 }));
    const [call] = stateOf(at, agent).calls ?? [];
    expect((call?.until_mono_ms ?? 0) - (call?.since_mono_ms ?? 0)).toBe(86_460_000);
    expect(agent.guard('status').exit).toBe(0);
  });

  it('with an id longer than any client’s is not on record, so that no state grows without end', () => {
    const { at, agent } = oneAgent({ files });
    agent.pre(agent.call('Bash', { command: 'make', timeout: 600_000 }, 'x'.repeat(100_000)));
    agent.fire('PermissionRequest', { tool_name: 'y'.repeat(100_000), tool_input: {} });
    expect(JSON.stringify(stateOf(at, agent)).length).toBeLessThan(2_000);
  });

  it('is on record where a short idle limit makes it long', () => {
    const { at, agent } = oneAgent({ files });
    at.put(`${at.home}/.config/guard/config.json`, JSON.stringify({ idle: '5s', ttl: '10s' }));
    const call = agent.call('Bash', { command: 'make' });
    agent.pre(call);
    expect(open(at, agent)).toEqual([call.id]);
  });

  it('keeps the lease of an agent that has a short one', () => {
    const { at, agent } = oneAgent({ files });
    expect(agent.guard('lock', 'try', 'a.txt', '--ttl', '30s').exit).toBe(0);
    const call = agent.call('Bash', { command: 'make' });
    agent.pre(call);
    expect(open(at, agent)).toEqual([call.id]);
  });

  it('is shown to whoever asks', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.pre(bash(agent));
    const { agents, leases } = at.guard('status', '--json').json() as Record<string, object[]>;
    expect(agents).toMatchObject([{ at_work: [{ tool: 'Bash' }] }]);
    expect(leases).toMatchObject([
      { holder_state: expect.stringMatching(/^at work in Bash for \d+ s$/) as string },
    ]);
    expect(at.guard('status').stdout).toMatch(/ in Bash for \d+s /);
    const denied = working(at).write('a.txt', 'x').pre;
    expect(denied.denial?.message).toMatch(/^Locked for Bash too; at work in Bash/);
  });
});

describe('an Agent call', () => {
  it('is open until the subagent is done, and its subagent is known', () => {
    const { at, agent } = oneAgent({ files });
    const call = agent.call('Agent', { description: 'x', prompt: 'y', run_in_background: false });
    agent.pre(call);
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    expect(stateOf(at, agent)).toMatchObject({
      calls: [{ id: call.id, tool: 'Agent', until_mono_ms: null }],
      children: [child.name],
    });
    child.fire('SubagentStop', { background_tasks: [] });
    agent.post(call, { status: 'completed', agentId: 's1' });
    expect(stateOf(at, agent)).not.toHaveProperty('calls');
    expect(stateOf(at, agent)).not.toHaveProperty('children');
  });

  it('side by side with another does not end it', () => {
    const { at, agent } = oneAgent({ files });
    const calls = ['one', 'two'].map((prompt) => agent.call('Agent', { prompt }));
    calls.forEach((call) => agent.pre(call));
    agent.post(calls[0] ?? fail(), { status: 'completed', agentId: 's1' });
    expect(open(at, agent)).toEqual([calls[1]?.id]);
  });

  it('that is launched in the background, as recorded, is over at once', () => {
    const { at, agent } = oneAgent({ files });
    at.hook(recorded('PreToolUse.Agent.background.json', agent), agent.env);
    expect(open(at, agent)).toEqual(['toolu_spawn_p1']);
    at.hook(recorded('PostToolUse.Agent.background.json', agent), agent.env);
    expect(open(at, agent)).toEqual([]);
  });

  it('of a subagent, as recorded, is open in that subagent', () => {
    const { at, agent } = oneAgent({ files });
    const nesting = agent.subagent('a18e5550b4e0f8514');
    nesting.fire('SubagentStart');
    at.hook(recorded('PreToolUse.Agent.nested-foreground.json', agent), agent.env);
    expect([open(at, agent), open(at, nesting)]).toEqual([[], ['toolu_spawn_nested']]);
    at.hook(recorded('PostToolUse.Agent.nested-foreground.json', agent), agent.env);
    expect(open(at, nesting)).toEqual([]);
  });

  it('prints nothing: whether the tool may run is not guard’s business', () => {
    const { agent } = oneAgent({ files });
    expect(agent.pre(agent.call('Agent', { prompt: 'x' }))).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe('a permission prompt', () => {
  it('as recorded, is open for ten minutes, leaves the write in flight, and ends with the batch', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const write = agent.call('Write', { file_path: at.path('a.txt'), content: 'x\n' });
    agent.pre(write);
    const asked = at.hook(recorded('PermissionRequest.Write.json', agent), agent.env);
    expect(asked).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    const [call] = stateOf(at, agent).calls ?? [];
    expect((call?.until_mono_ms ?? 0) - (call?.since_mono_ms ?? 0)).toBe(600_000);
    expect(wrongs(working(at).write('a.txt', 'y').pre)).toContain('WRITE_IN_FLIGHT');
    agent.batch(write);
    expect(open(at, agent)).toEqual([]);
  });

  it('for a command ends with that command, not with another one', () => {
    const { at, agent } = oneAgent({ files });
    const [one, two] = [agent.call('Bash', { command: 'one' }), agent.call('Bash', { command: 'two' })];
    for (const { tool, input } of [one, two])
      agent.fire('PermissionRequest', { tool_name: tool, tool_input: input });
    agent.post(one, { stdout: '' });
    expect(open(at, agent)).toHaveLength(1);
    agent.post(two, { stdout: '' });
    expect(open(at, agent)).toEqual([]);
  });
});

describe('an agent whose lock went to somebody else', () => {
  const takenFrom = (agent: Session): Session => {
    agent.lock('a.txt');
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    child.lock('a.txt');
    return child;
  };

  it.each(['Bash', 'Read', 'UserPromptSubmit', 'PostToolBatch'])(
    'is told at its next event, %s, once',
    (event) => {
      const { agent } = oneAgent({ files });
      const child = takenFrom(agent);
      const next = (): string => {
        if (event === 'Read') return agent.read('b.txt').context;
        if (event === 'Bash')
          return agent.post(agent.call('Bash', { command: 'ls' }), { stdout: '' }).context;
        return event === 'PostToolBatch' ? agent.batch().context : agent.prompt().context;
      };
      expect(next()).toContain(
        `guard: Your lock on "a.txt" went to your subagent ${child.name}. Before you continue with a file, lock it and read it again.`,
      );
      expect(next()).not.toContain('Your lock');
    },
  );

  it('is told in the refusal, where the next event is a write', () => {
    const { agent } = oneAgent({ files });
    takenFrom(agent);
    const denied = agent.write('a.txt', 'x').pre;
    expect(denied.denial?.details['revoked']).toHaveLength(1);
    expect(agent.batch().context).toBe('');
  });
});

function fail(): never {
  throw new Error('there are two');
}
