/** Copilot CLI, through its own hook file: `guard hook --host copilot EVENT`. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, scratch, type Scratch } from '../driver.ts';
import { recorded } from '../hosts/events.ts';
import { told } from './host.ts';

const SESSION = '00000000-0000-4000-8000-00000000c091';
const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };
const auto = { files, init: ['--preset', 'auto'] };

const fire = (at: Scratch, name: string, fields: object = {}) =>
  told(
    at,
    'copilot',
    { sessionId: SESSION, timestamp: 1_795_343_119_459, cwd: at.root, ...fields },
    { name, env: { COPILOT_CLI: '1', COPILOT_PROJECT_DIR: at.root } },
  );

const edit = (at: Scratch, old_str: string, new_str: string) => ({
  toolName: 'edit',
  toolArgs: { path: at.path('a.txt'), old_str, new_str },
});

const view = (at: Scratch) =>
  fire(at, 'postToolUse', {
    toolName: 'view',
    toolArgs: { path: at.path('a.txt') },
    toolResult: { resultType: 'success', textResultForLlm: at.read('a.txt') },
  });

describe('an agent of Copilot CLI, by its own hooks', () => {
  it('edits, is denied after a change from outside, looks again, and edits', () => {
    const at = scratch(auto);
    fire(at, 'userPromptSubmitted', { prompt: 'go' });
    view(at);
    const first = edit(at, 'two', 'TWO');
    expect(fire(at, 'preToolUse', first).exit).toBe(0);
    at.put('a.txt', at.read('a.txt').replace('two', 'TWO'));
    fire(at, 'postToolUse', { ...first, toolResult: { resultType: 'success', textResultForLlm: 'updated' } });
    expect(at.log('write')).toMatchObject([
      { agent: `copilot-${SESSION}`, content: 'as_expected', original: 'same' },
    ]);
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const denial = expectEnvelope(fire(at, 'preToolUse', edit(at, 'one', '1')));
    expect([denial.error_type, denial.details.next]).toEqual([
      'STALE_FILE',
      [`view ${at.path('a.txt')} again`],
    ]);
    view(at);
    expect(fire(at, 'preToolUse', edit(at, 'one', '1')).exit).toBe(0);
  });

  it('is given its name in a command that calls guard, in the fields that the client takes', () => {
    const at = scratch(auto);
    const { stdout } = fire(at, 'preToolUse', {
      toolName: 'bash',
      toolArgs: { command: 'guard lock try a.txt', mode: 'sync' },
      sessionId: 'sub',
      agentId: 'sub',
      parentAgentId: SESSION,
    });
    expect(JSON.parse(stdout)).toEqual({
      modifiedArgs: { command: `guard lock try --agent copilot-${SESSION}/sub a.txt`, mode: 'sync' },
    });
  });

  it('is not told twice where the hooks of Claude Code run too', () => {
    const at = scratch({ ...auto, fresh: true });
    expect(at.guard('init', '--host', 'copilot').exit).toBe(0);
    const claudes = {
      hook_event_name: 'PreToolUse',
      session_id: SESSION,
      timestamp: '2026-11-22T10:00:00.000Z',
      cwd: at.root,
      tool_name: 'Edit',
      tool_input: { path: at.path('a.txt'), old_str: 'two', new_str: 'TWO' },
    };
    expect(at.hook(claudes, { COPILOT_CLI: '1' })).toMatchObject({ exit: 0, stdout: '' });
    expect(at.log('intent')).toEqual([]);
  });
});

describe('a recorded session of Copilot CLI by its own hooks', () => {
  it('goes through without a denial, and every record is its own', () => {
    const at = scratch(auto);
    const answers = recorded('copilot', at.root).map(({ event, stdin }) => {
      return [event, told(at, 'copilot', stdin, { name: event, env: { COPILOT_CLI: '1' } }).exit];
    });
    expect(answers.filter(([, exit]) => exit !== 0)).toEqual([]);
    const agents = new Set(at.log().map(({ agent }) => String(agent)));
    expect([...agents].filter((agent) => !agent.startsWith('copilot-'))).toEqual([]);
    expect([...agents].some((agent) => agent.includes('/'))).toBe(true);
  });
});
