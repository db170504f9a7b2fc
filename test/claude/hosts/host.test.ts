/** Which client an event or command belongs to. */
import { describe, expect, it } from 'vitest';
import { hostOf, innermost } from '../../../src/claude/hosts/host.ts';
import { parseInput } from '../../../src/claude/input.ts';
import { agentName } from '../../../src/cli/agent-id.ts';
import { HOSTS, recorded } from './events.ts';

/** Variables that an outer Claude Code leaves in the environment of every process below it. */
const OUTER = {
  CLAUDECODE: '1',
  CLAUDE_PID: '4711',
  CLAUDE_CODE_SESSION_ID: 'outer',
  GUARD_AGENT_ID: 'claude-outer/sub',
};

describe('a recorded event', () => {
  it.each([...HOSTS, 'copilot-claude-format', 'copilot-claude-route'])(
    'of %s is known for what it is',
    (name) => {
      const host = name.startsWith('copilot') ? 'copilot' : name;
      const events = recorded(name).filter(
        ({ stdin }) => !/^(?:init|event:|chat|shell)/.test(String(stdin['event'])),
      );
      const told = events.filter(({ event }) => !/^(?:init|event:.*|chat\..*|shell\..*)$/.test(event));
      expect(told.length).toBeGreaterThan(5);
      for (const { event, stdin } of told) {
        expect([event, hostOf({}, stdin)]).toEqual([event, host]);
        expect([event, hostOf(OUTER, stdin)]).toEqual([event, host]);
      }
    },
  );

  it('of Claude Code stays its own, whatever client it was started from', () => {
    const raw = {
      hook_event_name: 'Stop',
      session_id: 's',
      transcript_path: '/home/u/.claude/projects/-r/s.jsonl',
    };
    for (const env of [{}, { COPILOT_CLI: '1' }, { GEMINI_CLI: '1' }, { CODEX_THREAD_ID: 't' }])
      expect([hostOf(env, raw), parseInput(JSON.stringify(raw), '/', env)?.host]).toEqual([
        'claude',
        'claude',
      ]);
  });

  it('with camelCase names is of VS Code', () => {
    const raw = {
      hookEventName: 'PreToolUse',
      sessionId: 's',
      toolName: 'create_file',
      toolInput: { filePath: '/x' },
    };
    expect(parseInput(JSON.stringify(raw), '/')).toMatchObject({ host: 'vscode', tool: 'create_file' });
  });
});

describe('a command below two clients speaks for the inner one', () => {
  const person = () => 'me';
  it.each([
    ['Copilot', { COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: 'c' }, 'copilot-c'],
    ['Codex', { CODEX_SESSION_ID: 'x', CODEX_THREAD_ID: 'x' }, 'codex-x'],
    ['a subagent of Codex', { CODEX_SESSION_ID: 'x', CODEX_THREAD_ID: 't' }, 'codex-x/t'],
    ['Qwen', { QWEN_CODE_SESSION_ID: 'q', QWEN_CODE_AGENT_ID: 'main' }, 'qwen-q'],
    ['Gemini, which does not say whose it is', { GEMINI_CLI: '1' }, 'me'],
    ['opencode, which does not say whose it is', { OPENCODE: '1' }, 'me'],
    ['opencode with a plugin that says it', { OPENCODE: '1', GUARD_AGENT_ID: 'opencode-o' }, 'opencode-o'],
  ])('%s', (_, env, id) => {
    expect(agentName(undefined, { ...OUTER, ...env }, person).id).toBe(id);
  });

  it('and keeps a name that a person chose', () => {
    const env = { ...OUTER, COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: 'c', GUARD_AGENT_ID: 'alice' };
    expect(agentName(undefined, env, person)).toEqual({ id: 'alice', from: 'variable' });
  });

  it('and in Claude Code alone nothing changes', () => {
    expect(innermost(OUTER)).toBe(OUTER);
    expect(innermost({ HOME: '/h' })).toEqual({ HOME: '/h' });
  });
});
