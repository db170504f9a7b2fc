/**
 * Hook events in the form guard needs, parsed from what the client (2.0.77 to 2.1.330, and other hosts) writes to
 * stdin. Every field may be missing: older clients lack agent_id, prompt_id, PostToolBatch. No field is trusted to have
 * its type, and fields that guard does not use are dropped.
 */
import { attempt } from '../core/attempt.ts';
import { asFields, asText, type Fields, textField } from './fields.ts';
import type { Variables } from './hosts/host.ts';
import { inClaudesTerms } from './hosts/translate.ts';
import type { HookInput } from './hook-input.ts';

export { asFields, asText, textField } from './fields.ts';
export type { Fields } from './fields.ts';

/** Every event of another client differs from Claude's in one of these; only then is it examined further. */
const isForeign = (raw: Fields): boolean =>
  'timestamp' in raw || 'turn_id' in raw || !isClaudes(asText(raw['transcript_path']));

const OTHERS = ['.codex', '.copilot', '.gemini', '.qwen'];

const isClaudes = (transcript: string): boolean =>
  transcript !== '' && !OTHERS.some((dir) => transcript.includes(dir) && OF_OTHERS.test(transcript));

const OF_OTHERS = /[/\\]\.(?:codex|copilot|gemini|qwen)[/\\]/;

/** Null if the text is not one JSON object or names no event. */
export function parseInput(text: string, fallback_cwd: string, env: Variables = {}): HookInput | null {
  const given = attempt(() => asFields(JSON.parse(text)), null);
  if (given === null) return null;
  return inputFrom(isForeign(given) ? inClaudesTerms(given, env) : ['claude', given], fallback_cwd, env);
}

/** Null if it names no event. @param told the client and its event in Claude's terms */
export function inputFrom(
  [host, raw]: readonly [HookInput['host'], Fields],
  fallback_cwd: string,
  env: Variables,
): HookInput | null {
  const event = textField(raw, 'hook_event_name', 'hookEventName');
  if (event === '') return null;
  const cwd = textField(raw, 'cwd') || fallback_cwd;
  return {
    host,
    event,
    session: textField(raw, 'session_id', 'sessionId'),
    cwd,
    project: env['CLAUDE_PROJECT_DIR'] || cwd,
    agent: textField(raw, 'agent_id', 'agentId') || null,
    agent_type: textField(raw, 'agent_type', 'agentType'),
    tool: textField(raw, 'tool_name', 'toolName'),
    tool_use_id: textField(raw, 'tool_use_id', 'toolUseId'),
    tool_input: asFields(raw['tool_input'] ?? raw['toolInput']),
    tool_response: raw['tool_response'] ?? raw['toolResponse'] ?? raw['tool_result'],
    raw,
  };
}
