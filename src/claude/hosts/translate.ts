// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Translates events of other clients to Claude's terms, as far as guard uses them. */
import { asFields, asText, type Fields } from '../fields.ts';
import { textOf } from '../../repo/small-file.ts';
import type { HookInput } from '../hook-input.ts';
import { fromCopilot } from './copilot.ts';
import { type Host, hostOf, type Variables } from './host.ts';

export function inClaudesTerms(raw: Fields, env: Variables): readonly [HookInput['host'], Fields] {
  const host = hostOf(env, raw);
  const said = isToldByItsOwn(host, raw, env)
    ? { ...raw, hook_event_name: NOTHING }
    : (TERMS[host]?.(raw) ?? raw);
  return [host === 'unknown' ? 'claude' : host, said];
}

/** Copilot runs Claude's file and its own: with guard's hook in both, each event comes twice, with nothing to tell them apart. */
function isToldByItsOwn(host: Host, raw: Fields, env: Variables): boolean {
  if (host !== 'copilot' || isNative(raw)) return false;
  const root = env['COPILOT_PROJECT_DIR'] ?? env['CLAUDE_PROJECT_DIR'] ?? asText(raw['cwd']);
  return (textOf(`${root}/.github/hooks/guard.json`, HOOKS_MAX_BYTES) ?? '').includes('guard-hook.cjs');
}

const HOOKS_MAX_BYTES = 262_144;

/** An event that is ignored. */
const NOTHING = 'other';

const TERMS: Readonly<Partial<Record<Host, (raw: Fields) => Fields>>> = {
  copilot: (raw) =>
    isNative(raw) ? beforeTool(raw, isBefore(raw), raw['toolName'], raw['toolArgs']) : fromCopilot(raw),
  gemini: (raw) =>
    raw['hook_event_name'] === 'BeforeTool' ? { ...raw, hook_event_name: 'PreToolUse' } : raw,
  opencode: (raw) => {
    const [input, output] = [asFields(raw['input']), asFields(raw['output'])];
    return beforeTool(
      { ...raw, session_id: input['sessionID'] },
      'args' in output,
      input['tool'],
      output['args'],
    );
  },
};

/** From its own hook file (`.github/hooks`), where events have no names. */
const isNative = (raw: Fields): boolean =>
  raw['hook_event_name'] === undefined && raw['agent_id'] === undefined && raw['sessionId'] !== undefined;

const isBefore = (raw: Fields): boolean =>
  raw['toolArgs'] !== undefined && raw['toolResult'] === undefined && raw['error'] === undefined;

const beforeTool = (raw: Fields, is: boolean, tool: unknown, asked: unknown): Fields => ({
  ...raw,
  hook_event_name: is ? 'PreToolUse' : NOTHING,
  tool_name: asText(tool),
  tool_input: asFields(asked),
});
