/**
 * Hook events as guard needs them, from what the client (2.0.77 to 2.1.330, and camelCase hosts) writes to
 * stdin. Every field may be missing: older clients lack agent_id, prompt_id, PostToolBatch. Nothing is
 * trusted to have its type, and nothing is kept that guard does not use.
 */

export interface HookInput {
  readonly event: string;
  readonly session: string;
  readonly cwd: string;
  /** Subagent; an empty agent_id (compaction) is none. */
  readonly agent: string | null;
  readonly agent_type: string;
  readonly tool: string;
  readonly tool_use_id: string;
  readonly tool_input: Fields;
  readonly tool_response: unknown;
  readonly raw: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** First of the names that holds a non-empty string. */
export function textField(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const text = asText(fields[name]);
    if (text !== '') return text;
  }
  return '';
}

/** Null when the text is not one JSON object or names no event. */
export function parseInput(text: string, fallback_cwd: string): HookInput | null {
  let raw: Fields;
  try {
    raw = asFields(JSON.parse(text));
  } catch {
    return null;
  }
  const event = textField(raw, 'hook_event_name', 'hookEventName');
  if (event === '') return null;
  return {
    event,
    session: textField(raw, 'session_id', 'sessionId'),
    cwd: textField(raw, 'cwd') || fallback_cwd,
    agent: textField(raw, 'agent_id', 'agentId') || null,
    agent_type: textField(raw, 'agent_type', 'agentType'),
    tool: textField(raw, 'tool_name', 'toolName'),
    tool_use_id: textField(raw, 'tool_use_id', 'toolUseId'),
    tool_input: asFields(raw['tool_input'] ?? raw['toolInput']),
    tool_response: raw['tool_response'] ?? raw['toolResponse'] ?? raw['tool_result'],
    raw,
  };
}
