/**
 * GitHub Copilot CLI (1.0.102) runs the hooks of a project's `.claude/settings.json`. It uses Claude's names for events
 * and tools, but its own for their fields: `path`, `file_text`, `old_str`; the result in
 * `tool_result.text_result_for_llm`; no id of a call; a subagent's events have their own session.
 */
import { asList } from '../../core/json-object.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { asFields, asText, type Fields, textField } from '../fields.ts';

/** The event in Claude's terms. */
export function fromCopilot(raw: Fields): Fields {
  const event = eventOf(raw);
  const asked = asFields(raw['tool_input']);
  const tool = asText(raw['tool_name']);
  const parent = textField(raw, 'parent_agent_id', 'parentAgentId');
  return {
    ...raw,
    hook_event_name: event,
    session_id: parent || textField(raw, 'session_id', 'sessionId'),
    ...(tool === '' ? {} : { tool_use_id: callId(tool, asked), tool_input: inputOf(asked) }),
    ...(event === 'PostToolUse' ? { tool_response: responseOf(tool, asked, raw) } : {}),
    ...(/^Path does not exist/.test(asText(raw['error'])) ? { error: 'File does not exist.' } : {}),
  };
}

/** The start of a subagent is the only event that does not name itself. */
function eventOf(raw: Fields): string {
  const event = asText(raw['hook_event_name']);
  return event === '' && raw['agent_id'] !== undefined && raw['agentName'] !== undefined
    ? 'SubagentStart'
    : event;
}

/** The `@` marks it as incomplete: two calls with the same arguments are two calls (write-pre.ts, `opOf`). */
const callId = (tool: string, asked: Fields): string => `${nameHash(JSON.stringify([tool, asked]))}@`;

const RENAMED: readonly (readonly [string, string])[] = [
  ['path', 'file_path'],
  ['file_text', 'content'],
  ['old_str', 'old_string'],
  ['new_str', 'new_string'],
];

/** A command keeps its fields, which an answer may rewrite. */
function inputOf(asked: Fields): Fields {
  const renamed = RENAMED.filter(([from]) => from in asked).map(([from, to]) => [to, asked[from]]);
  const own = RENAMED.map(([from]) => from);
  const rest = Object.entries(asked).filter(([name]) => !own.includes(name));
  return Object.fromEntries([...rest, ...renamed]) as Fields;
}

function responseOf(tool: string, asked: Fields, { tool_result }: Fields): unknown {
  const text = asText(asFields(tool_result)['text_result_for_llm']);
  if (tool === 'Read') return shown(text, asked['view_range']);
  // `create` never overwrites: if it succeeded, there was no file.
  if (tool === 'Write') return { type: 'create', originalFile: null };
  return { text };
}

/** A range is `[first, last]`; a last line of -1 means the end. */
function shown(text: string, view_range: unknown): Fields {
  const [first, last] = asList(view_range);
  if (typeof first !== 'number') return { type: 'text', file: { content: unnumbered(text, 1) } };
  const content = unnumbered(text, first);
  const count = content.split('\n').length;
  // The client counts an empty line after a final newline (shown-lines.ts).
  const wanted = typeof last === 'number' && last >= first ? last - first + 1 : count;
  return { type: 'text', file: { content, startLine: first, numLines: Math.min(count, wanted) } };
}

const NUMBER = /^ *(\d+)(?:\. ?|\t|\u2192|: ?)/;

/** Removes the line numbers that some versions add; text whose own lines begin with numbers is left unchanged. */
function unnumbered(text: string, first: number): string {
  const lines = text.split('\n');
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const isNumbered =
    last > 0 && lines.slice(0, last).every((line, nth) => NUMBER.exec(line)?.[1] === String(first + nth));
  return isNumbered ? lines.map((line) => line.replace(NUMBER, '')).join('\n') : text;
}
