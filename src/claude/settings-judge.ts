/** Whether an agent's write to a settings file of the client leaves guard hooked. */
import { readSmallFile } from '../repo/small-file.ts';
import { whyUnhooked } from '../settings/judge.ts';
import { SETTINGS_MAX_BYTES } from '../settings/model.ts';
import { runningVersion } from '../settings/version.ts';
import { asText } from './input.ts';
import type { HookInput } from './input.ts';

/** A settings file may be written as long as guard stays hooked; a write whose result is not known may not. */
export function whyNotLeft(input: HookInput, file: string, env: NodeJS.ProcessEnv): string | null {
  const read = readSmallFile(file, SETTINGS_MAX_BYTES);
  if (read.state === 'unreadable') return `guard cannot read what is there now (${read.reason}).`;
  const before = read.state === 'text' ? read.text : null;
  // As the client compares: with LF for CR LF.
  const after = resultOf(input.tool, input.tool_input, (before ?? '').replaceAll('\r\n', '\n'));
  if (after === null) return 'guard cannot tell what would be left of its hooks.';
  if (after.length > SETTINGS_MAX_BYTES)
    return `guard reads settings of at most ${SETTINGS_MAX_BYTES} bytes.`;
  return whyUnhooked(before, after, runningVersion(env));
}

function resultOf(tool: string, call: Readonly<Record<string, unknown>>, before: string): string | null {
  if (tool === 'Write' || tool === 'create_file')
    return typeof call['content'] === 'string' ? call['content'] : null;
  if (tool !== 'Edit') return null;
  const old = asText(call['old_string']);
  const replacement = asText(call['new_string']);
  if (old === '') return before === '' ? replacement : null;
  // What guard does not find the client may find by other rules.
  if (!before.includes(old)) return null;
  // A function, so that `$&` in the new text stays what it is.
  return call['replace_all'] === true
    ? before.replaceAll(old, () => replacement)
    : before.replace(old, () => replacement);
}
