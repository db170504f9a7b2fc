/** Qwen Code, through its own hooks: `guard hook --host qwen`. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../driver.ts';
import { recorded } from '../hosts/events.ts';
import { told } from './host.ts';

const SESSION = '00000000-0000-4000-8000-000000009e32';
const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };
const auto = { files, init: ['--preset', 'auto'] };

const fire = (at: Scratch, hook_event_name: string, fields: object = {}) =>
  told(at, 'qwen', { session_id: SESSION, cwd: at.root, hook_event_name, timestamp: 'x', ...fields });

const edit = (at: Scratch) => ({
  tool_name: 'edit',
  tool_use_id: 'toolu_1',
  tool_input: { file_path: at.path('a.txt'), old_string: 'two', new_string: 'TWO' },
});

describe('an agent of Qwen Code', () => {
  it('begins a turn with what a person said, and not with each request to the model', () => {
    const at = scratch(auto);
    fire(at, 'UserPromptSubmit', { prompt: 'go', submitted_prompt: 'go' });
    const turns = at.log('turn').length;
    fire(at, 'UserPromptSubmit', { prompt: '' });
    expect(at.log('turn')).toHaveLength(turns);
    fire(at, 'UserPromptSubmit', { prompt: 'more', submitted_prompt: 'more' });
    expect(at.log('turn').length).toBeGreaterThan(turns);
  });

  it('keeps its turn while a subagent of it runs in the background', () => {
    const at = scratch(auto);
    fire(at, 'UserPromptSubmit', { prompt: 'go', submitted_prompt: 'go' });
    expect(fire(at, 'PreToolUse', edit(at)).exit).toBe(0);
    fire(at, 'Stop', { background_tasks: [{ id: 'x', status: 'running' }] });
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: ['a.txt'] }] });
    fire(at, 'Stop', { background_tasks: [{ id: 'x', status: 'completed' }] });
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
  });

  it('is answered with what the client takes, and nothing else', () => {
    const at = scratch({ files });
    const answer = fire(at, 'SessionStart', { source: 'startup' });
    const said = JSON.parse(answer.stdout) as { hookSpecificOutput: object };
    expect(Object.keys(said)).toEqual(['hookSpecificOutput']);
    expect(Object.keys(said.hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext']);
  });

  it('is refused in words on standard error: JSON there would be taken for consent', () => {
    const at = scratch({ files });
    const refusals = [
      fire(at, 'PreToolUse', edit(at)),
      told(at, 'qwen', '{"hook_event_name":"PreToolUse","tool_name":"edit",'),
    ];
    for (const { exit, stderr } of refusals) {
      expect(exit).toBe(2);
      expect(stderr).toMatch(/^guard: \{"error_type"/);
    }
  });

  it('has a subagent that is another agent', () => {
    const at = scratch(auto);
    fire(at, 'PreToolUse', { ...edit(at), agent_id: 'general-purpose-call_1' });
    expect(at.log('intent')).toMatchObject([
      { agent: `qwen-${SESSION}/general-purpose-call_1`, tool: 'Edit' },
    ]);
    const shell = { QWEN_CODE_SESSION_ID: SESSION, QWEN_CODE_AGENT_ID: 'general-purpose-call_1' };
    const { results } = at.guardWith(shell, 'lock', 'status', 'a.txt', '--json').json() as {
      results: { held_by_me: boolean }[];
    };
    expect(results[0]?.held_by_me).toBe(true);
  });
});

describe('a recorded session of Qwen Code', () => {
  it('goes through without a denial, its writes are known, and every record is its own', () => {
    const at = scratch(auto);
    const answers = recorded('qwen', at.root).map(({ event, stdin }) => [
      event,
      told(at, 'qwen', stdin).exit,
    ]);
    expect(answers.filter(([, exit]) => exit !== 0)).toEqual([]);
    const agents = new Set(at.log().map(({ agent }) => String(agent)));
    expect([...agents].filter((agent) => !agent.startsWith('qwen-'))).toEqual([]);
    expect(at.log('turn').filter(({ phase }) => phase === 'start').length).toBeLessThan(6);
  });
});
