/** Copilot CLI, which runs the hooks of the project's `.claude/settings.json` with its own fields. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Answer, type Denial, scratch, type Scratch } from '../driver.ts';
import { recorded } from './events.ts';

const SESSION = '00000000-0000-4000-8000-00000000c0c0';
/** The environment of a recorded hook, below a Claude Code that left its variables. */
const ENV = {
  COPILOT_CLI: '1',
  CLAUDECODE: '1',
  CLAUDE_PID: String(process.pid),
  CLAUDE_CODE_SESSION_ID: 'outer',
  GUARD_AGENT_ID: 'claude-outer',
};

interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

function copilot(at: Scratch, who: Record<string, unknown> = {}) {
  const env = { ...ENV, CLAUDE_PROJECT_DIR: at.root };
  const fire = (hook_event_name: string, fields: object = {}): Answer =>
    at.hook(
      {
        hook_event_name,
        session_id: SESSION,
        timestamp: '2026-11-22T10:00:00.000Z',
        cwd: at.root,
        ...who,
        ...fields,
      },
      env,
    );
  const told = ({ tool, input }: Call, fields: object = {}) => ({
    tool_name: tool,
    tool_input: input,
    ...fields,
  });
  const after = (call: Call, text: string): Answer =>
    fire('PostToolUse', told(call, { tool_result: { result_type: 'success', text_result_for_llm: text } }));
  const edit = (file: string, old_str: string, new_str: string): Call => ({
    tool: 'Edit',
    input: { path: at.path(file), old_str, new_str },
  });
  return {
    env,
    fire,
    edit,
    pre: (call: Call) => fire('PreToolUse', told(call)),
    failed: (call: Call, error: string) => fire('PostToolUseFailure', told(call, { error })),
    prompt: () => fire('UserPromptSubmit', { prompt: 'go' }),
    view: (file: string, view_range?: readonly number[]): Answer => {
      const text = at.read(file);
      const lines = text.split('\n');
      const [first = 1, last = -1] = view_range ?? [];
      const shown =
        view_range === undefined ? text : lines.slice(first - 1, last === -1 ? undefined : last).join('\n');
      return after(
        { tool: 'Read', input: { path: at.path(file), ...(view_range && { view_range }) } },
        shown,
      );
    },
    after,
    /** Makes the edit as the client does, and ends the call. */
    made: (call: Call): Answer => {
      const { path, old_str, new_str } = call.input as Record<string, string>;
      fs.writeFileSync(
        path ?? '',
        fs.readFileSync(path ?? '', 'utf8').replace(old_str ?? '', () => new_str ?? ''),
      );
      return after(call, `File ${path ?? ''} updated with changes.`);
    },
  };
}

/** On this route, the reason reaches the model only in the flat form with exit code 2. */
function reasonOf(answer: Answer): Denial {
  expect(answer.exit).toBe(2);
  const said = JSON.parse(answer.stdout) as Record<string, string>;
  expect(Object.keys(said)).toEqual(['permissionDecision', 'permissionDecisionReason']);
  expect(said['permissionDecision']).toBe('deny');
  return JSON.parse(said['permissionDecisionReason'] ?? '') as Denial;
}

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\n' };
const auto = { files, init: ['--preset', 'auto'] };

describe('an agent of Copilot CLI in a repository with the standard preset', () => {
  it('reads why a write is denied, locks, and writes', () => {
    const at = scratch({ files });
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    const call = agent.edit('a.txt', 'two', 'TWO');
    const denial = reasonOf(agent.pre(call));
    expect(denial.error_type).toBe('NOT_LOCKED');
    const shell = { COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: SESSION, CLAUDE_CODE_SESSION_ID: 'outer' };
    expect(at.guardWith(shell, 'lock', 'try', 'a.txt').exit).toBe(0);
    expect(agent.pre(call)).toMatchObject({ exit: 0, stdout: '' });
    agent.made(call);
    expect(at.log('write')).toMatchObject([
      { agent: `copilot-${SESSION}`, path: 'a.txt', content: 'as_expected', original: 'same' },
    ]);
    expect(at.log('bypass')).toEqual([]);
  });

  it('creates a file that it locked', () => {
    const at = scratch({ files });
    const agent = copilot(at);
    const call = { tool: 'Write', input: { path: at.path('c.txt'), file_text: 'new\n' } };
    expect(reasonOf(agent.pre(call)).error_type).toBe('NOT_LOCKED');
    at.guardWith({ COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: SESSION }, 'lock', 'try', 'c.txt');
    expect(agent.pre(call).exit).toBe(0);
    at.put('c.txt', 'new\n');
    agent.after(call, `Created file ${at.path('c.txt')} with 4 characters`);
    expect(at.log('write')).toMatchObject([{ path: 'c.txt', content: 'as_expected', original: 'same' }]);
  });

  it('is told its name in a command that calls guard', () => {
    const at = scratch({ files });
    const agent = copilot(at, { agent_id: 'sub', parent_agent_id: SESSION, session_id: 'sub' });
    const { updated } = agent.pre({ tool: 'Bash', input: { command: 'guard lock try a.txt', mode: 'sync' } });
    expect(updated).toEqual({ command: `guard lock try --agent copilot-${SESSION}/sub a.txt`, mode: 'sync' });
  });
});

describe('an agent of Copilot CLI under auto', () => {
  it('edits, is denied after a change from outside, looks again, and edits', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    const first = agent.edit('a.txt', 'two', 'TWO');
    expect(agent.pre(first).exit).toBe(0);
    expect(agent.made(first).stdout).toBe('');
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const second = agent.edit('a.txt', 'three', 'THREE');
    const denial = reasonOf(agent.pre(second));
    expect(denial.error_type).toBe('STALE_FILE');
    expect(denial.details.next).toEqual([`view ${at.path('a.txt')} again`]);
    agent.view('a.txt');
    expect(agent.pre(second).exit).toBe(0);
  });

  it('has seen the whole file when all its parts were shown, and not before', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const call = agent.edit('a.txt', 'two', 'TWO');
    agent.view('a.txt', [1, 3]);
    expect(agent.pre(call).exit).toBe(2);
    agent.view('a.txt', [4, -1]);
    expect(agent.pre(call).exit).toBe(0);
  });

  it('makes the same edit twice, and each is a call of its own', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    for (const [from, to] of [
      ['two', 'TWO'],
      ['TWO', 'two'],
      ['two', 'TWO'],
    ] as const) {
      const call = agent.edit('a.txt', from, to);
      expect([from, agent.pre(call).exit]).toEqual([from, 0]);
      agent.made(call);
    }
    expect(at.log('write')).toHaveLength(3);
    at.put('a.txt', 'theirs\n');
    expect(agent.pre(agent.edit('a.txt', 'two', 'TWO')).exit).toBe(2);
  });

  it('makes two edits in one answer: both are asked about before either is made', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    agent.view('b.txt');
    const [a, b] = [agent.edit('a.txt', 'two', 'TWO'), agent.edit('b.txt', 'beta', '')];
    expect([agent.pre(a).exit, agent.pre(b).exit]).toEqual([0, 0]);
    agent.made(b);
    agent.made(a);
    expect(at.log('write').map(({ path, content }) => [path, content])).toEqual([
      ['b.txt', 'as_expected'],
      ['a.txt', 'as_expected'],
    ]);
    expect(at.log('bypass')).toEqual([]);
  });

  it('tries an edit again that failed: it is judged again', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.view('a.txt');
    const call = agent.edit('a.txt', 'nonexistent', 'X');
    expect(agent.pre(call).exit).toBe(0);
    agent.failed(call, 'No match found');
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
    at.put('a.txt', 'theirs\n');
    expect(reasonOf(agent.pre(call)).error_type).toBe('STALE_FILE');
  });

  it('creates a file that it looked for and did not find', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.prompt();
    agent.failed({ tool: 'Read', input: { path: at.path('c.txt') } }, 'Path does not exist');
    expect(agent.pre({ tool: 'Write', input: { path: at.path('c.txt'), file_text: 'x' } }).exit).toBe(0);
  });

  it('and one of Claude Code keep apart', () => {
    const at = scratch(auto);
    const agent = copilot(at);
    agent.view('a.txt');
    expect(agent.pre(agent.edit('a.txt', 'two', 'TWO')).exit).toBe(0);
    const other = copilot(at, { session_id: 'another' });
    expect(reasonOf(other.pre(other.edit('a.txt', 'two', '2')))).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: `copilot-${SESSION}` },
    });
  });
});

describe('a recorded session of Copilot CLI', () => {
  it.each(['copilot-claude-format', 'copilot-claude-route'])(
    '%s: no read and no command is denied, and names no other client',
    (name) => {
      const at = scratch(auto);
      for (const [file, text] of Object.entries({ ...files, 'crlf.txt': 'a\r\nb\r\n' })) at.put(file, text);
      for (const { stdin } of recorded(name, at.root)) {
        const answer = at.hook(stdin, { ...ENV, CLAUDE_PROJECT_DIR: at.root });
        const is_write = /^(?:Edit|Write)$/.test(String(stdin['tool_name']));
        if (!is_write)
          expect([stdin['hook_event_name'], answer.exit, answer.stderr]).toEqual([
            stdin['hook_event_name'],
            0,
            '',
          ]);
      }
      const agents = new Set(at.log().map(({ agent }) => String(agent)));
      expect([...agents].filter((agent) => !agent.startsWith('copilot-'))).toEqual([]);
      expect(agents.size).toBe(name === 'copilot-claude-route' ? 2 : 1);
    },
  );
});
