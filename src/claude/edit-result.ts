/** What a tool call would leave in a file, computed from its input alone. */
import { asFields, type Fields, textField } from './input.ts';
import type { HookInput } from './hook-input.ts';
import { writtenBy } from './tools.ts';

const MCP_WHOLE = /^mcp__.*__(?:write_file|create_text_file)$/;
const OLD = ['old_string', 'oldString', 'oldText'] as const;
const NEW = ['new_string', 'newString', 'newText'] as const;

/**
 * Null if it cannot be computed: another tool, text that is appended, no edit at all, or an edit whose old text is not
 * literally in the file (the client may find it by other rules). `before` is '' for a missing file.
 */
export function textAfter({ tool, tool_input: call }: HookInput, before: string): string | null {
  if (writtenBy(tool) === 'content' || MCP_WHOLE.test(tool))
    return typeof call['content'] === 'string' && call['mode'] !== 'append' ? call['content'] : null;
  const edits: readonly unknown[] = tool !== 'Edit' && Array.isArray(call['edits']) ? call['edits'] : [call];
  if (edits.length === 0) return null;
  // The client compares with LF in place of CRLF.
  const start: string | null = before.replaceAll('\r\n', '\n');
  return edits.map(asFields).reduce<string | null>((text, edit) => applied(text, edit), start);
}

function applied(text: string | null, edit: Fields): string | null {
  const old = textField(edit, ...OLD);
  const name = NEW.find((one) => typeof edit[one] === 'string');
  if (text === null || name === undefined) return null;
  const replacement = edit[name] as string;
  if (old === '') return text === '' ? replacement : null;
  if (!text.includes(old)) return null;
  // A function, so that `$&` in the new text is not expanded.
  return edit['replace_all'] === true
    ? text.replaceAll(old, () => replacement)
    : text.replace(old, () => replacement);
}
