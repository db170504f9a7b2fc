/** `guard explain`: guard's answer, rule by rule, without writing anything. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { disk, oneAgent, type Scratch, working } from '../claude/driver.ts';

interface Explanation {
  readonly concerns_guard: boolean;
  readonly agent: string;
  readonly enforcement: string;
  readonly targets: readonly {
    readonly path: string;
    readonly baseline: object | null;
    readonly rules: readonly { readonly rule: string; readonly error_type: string | null }[];
  }[];
  readonly answer: { readonly exit: number; readonly stdout: string };
}

function explain(at: Scratch, event: object, env: Readonly<Record<string, string>> = {}) {
  const file = at.put(`${at.home}/event.json`, JSON.stringify(event));
  const told = at.guardWith(env, 'explain', file, '--json');
  return { exit: told.exit, ...(told.json() as Explanation) };
}

/** Every file below a directory, with content and times. */
function everything(dir: string): Record<string, string> {
  const names = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const stat = fs.lstatSync(join(dir, name));
      const content = stat.isFile() ? fs.readFileSync(join(dir, name)) : '';
      return [name, `${stat.mtimeMs} ${stat.size} ${createHash('sha256').update(content).digest('hex')}`];
    }),
  );
}

describe('guard explain', () => {
  it('names the rule against a write that would be denied, and exits with 1', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    const event = agent.payload('PreToolUse', {
      tool_name: 'Write',
      tool_input: call.input,
      tool_use_id: 't',
    });
    const told = explain(at, event, agent.env);
    expect(told).toMatchObject({ exit: 1, agent: agent.name, enforcement: 'required', answer: { exit: 2 } });
    expect(told.targets).toMatchObject([
      {
        path: 'a.txt',
        baseline: { knows: 'content' },
        rules: [
          { rule: 'path', error_type: null },
          { rule: 'baseline', error_type: 'STALE_FILE' },
          { rule: 'write_in_flight', error_type: null },
          { rule: 'lease', error_type: 'NOT_LOCKED' },
        ],
      },
    ]);
    expect(JSON.parse(told.answer.stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
  });

  it('says the same as the hook does then', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const other = working(at);
    other.lock('a.txt');
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    const fields = { tool_name: call.tool, tool_input: call.input, tool_use_id: call.id };
    const told = explain(at, agent.payload('PreToolUse', fields), agent.env);
    // Computed from two clocks that are not read at the same instant.
    const whole = (text: string): string => text.replace(/(expires_at\\+":\\+")[^"\\]+/g, '$1');
    expect(whole(agent.pre(call).stdout)).toBe(whole(told.answer.stdout));
  });

  it('finds nothing wrong with a write that would pass, and exits with 0', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    const event = agent.payload('PreToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path: at.path('a.txt'), old_string: 'one', new_string: 'two' },
      tool_use_id: 't',
    });
    const told = explain(at, event, agent.env);
    expect(told).toMatchObject({ exit: 0, answer: { exit: 0, stdout: '' } });
    expect(told.targets[0]?.rules.every(({ error_type }) => error_type === null)).toBe(true);
    expect(agent.write('a.txt', 'x').pre.exit).toBe(0);
  });

  it('never writes anything, whatever the event', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' }, init: ['--preset', 'auto'] });
    agent.read('a.txt');
    const { call } = agent.edit('a.txt', 'one', 'two');
    const file_path = at.path('a.txt');
    const tool = { tool_name: 'Write', tool_input: { file_path, content: 'x' }, tool_use_id: 't' };
    const events = [
      agent.payload('PreToolUse', tool),
      agent.payload('PostToolUse', { ...tool, tool_response: { type: 'update', content: 'x' } }),
      agent.payload('PostToolUse', { ...tool, tool_name: 'Read', tool_response: disk.read(file_path) }),
      agent.payload('PostToolUseFailure', { ...tool, error: 'no' }),
      agent.payload('PostToolBatch', { tool_calls: [{ ...tool, tool_use_id: call.id }] }),
      agent.payload('PreToolUse', {
        ...tool,
        tool_name: 'Bash',
        tool_input: { command: 'guard lock try x' },
      }),
      agent.payload('SessionStart', { source: 'startup', session_id: 'new' }),
      agent.payload('UserPromptSubmit', { prompt: 'x' }),
      agent.payload('Stop', {}),
      agent.payload('SessionEnd', {}),
    ];
    at.put('a.txt', 'formatted\n');
    explain(at, events[0] ?? {}, agent.env);
    const before = [everything(at.state), everything(at.root)];
    for (const event of events) explain(at, event, agent.env);
    expect([everything(at.state), everything(at.root)]).toEqual(before);
  });

  it('says that guard ignores an event that it does not check', () => {
    const { at, agent } = oneAgent();
    expect(explain(at, agent.payload('Notification', {}))).toMatchObject({ exit: 0, concerns_guard: false });
    const told = at.guard('explain', at.put('e.json', JSON.stringify(agent.payload('Notification', {}))));
    expect(told.stdout).toContain('guard ignores this event');
  });

  it('exits with 2 and a hint if the file is not an event, or is missing', () => {
    const { at } = oneAgent();
    const no_event = at.guard('explain', at.put('e.json', '{"a":1}'), '--json');
    expect([no_event.exit, no_event.json()]).toMatchObject([2, { error: { code: 'GUARD_ERR_INPUT' } }]);
    const no_file = at.guard('explain', 'nothing.json', '--json');
    expect([no_file.exit, no_file.json()]).toMatchObject([2, { error: { code: 'GUARD_ERR_IO' } }]);
  });
});

interface LastTold {
  readonly last: {
    readonly agent: string;
    readonly files: readonly string[];
    readonly denial: object;
  } | null;
  readonly now: Explanation | null;
}

describe('guard explain --last', () => {
  const last = (at: Scratch, ...args: readonly string[]) => {
    const told = at.guard('explain', '--last', '--json', ...args);
    return { exit: told.exit, ...(told.json() as LastTold) };
  };

  it('reports nothing if nothing was refused', () => {
    const { at } = oneAgent();
    expect(last(at)).toEqual({ exit: 0, last: null, now: null });
    expect(at.guard('explain', '--last').stdout).toBe('The ledger has no denied write.\n');
  });

  it('is about the newest refusal, word for word, and the same call now', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    agent.write('a.txt', 'x');
    const { pre } = agent.write('b.txt', 'x');
    const told = last(at);
    expect(told).toMatchObject({ exit: 1, last: { agent: agent.name, files: [at.path('b.txt')] } });
    expect(told.last?.denial).toEqual(pre.denial);
    expect(told.now).toMatchObject({ agent: agent.name, answer: { exit: 2 } });
    agent.guard('join', '--name', 'ann');
    const { stdout } = at.guard('explain', '--last');
    const [, now = ''] = stdout.split('The same call now:');
    expect(now).toMatch(/ lease +NOT_LOCKED +\(as above\)\n[^]*^guard would deny this: NOT_LOCKED$/m);
    expect(stdout).toMatch(
      /^denied to ann \d+s ago, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(lsn \d+\): NOT_LOCKED$/m,
    );
    // Text for people: no JSON, no line that only a program reads, and the denial once.
    expect(stdout).not.toContain('{"');
    expect(stdout.split(pre.denial?.message ?? '?')).toHaveLength(2);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(400);
  });

  it('exits with 0 once the agent has followed the steps', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.write('a.txt', 'x');
    agent.lock('a.txt');
    expect(last(at)).toMatchObject({ exit: 0, now: { agent: agent.name, answer: { exit: 0 } } });
  });

  it('--agent: of this one and its subagents', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    const other = working(at);
    agent.subagent('s1').write('a.txt', 'x');
    other.write('b.txt', 'x');
    expect(last(at).last?.agent).toBe(other.name);
    expect(last(at, '--agent', agent.name).last?.agent).toBe(`${agent.name}/s1`);
    expect(last(at, '--agent', 'claude-nobody').last).toBeNull();
  });

  it('shows only the refusal of a command line, because its text is not recorded', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const other = working(at);
    other.lock('a.txt');
    agent.pre(agent.call('Bash', { command: `echo x > ${at.path('a.txt')}` }));
    expect(last(at)).toMatchObject({
      exit: 0,
      last: { denial: { error_type: 'LOCKED_BY_OTHER' } },
      now: null,
    });
  });

  it('leaves no trace', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.write('a.txt', 'x');
    const before = everything(at.state);
    last(at);
    expect(everything(at.state)).toEqual(before);
  });

  it('does not go with an event, nor --agent without it', () => {
    const { at } = oneAgent();
    expect(at.guard('explain', 'event.json', '--last').exit).toBe(64);
    expect(at.guard('explain', 'event.json', '--agent', 'x').exit).toBe(64);
  });
});
