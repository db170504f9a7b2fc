// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether guard's hooks remain after an agent's write to one of the client's settings files. */
import { readSmallFile } from '../repo/small-file.ts';
import { whyUnhooked } from '../settings/judge.ts';
import { SETTINGS_MAX_BYTES } from '../settings/model.ts';
import { runningVersion } from '../settings/version.ts';
import { textAfter } from './edit-result.ts';
import type { HookInput } from './hook-input.ts';

/**
 * A settings file may be written as long as guard's hooks remain; a write with an unknown result may not. How another
 * MCP server edits a file is unknown.
 */
export function whyNotLeft(input: HookInput, file: string, env: NodeJS.ProcessEnv): string | null {
  const read = readSmallFile(file, SETTINGS_MAX_BYTES);
  if (read.state === 'unreadable') return `guard cannot read what is there now (${read.reason}).`;
  const before = read.state === 'text' ? read.text : null;
  const after = input.tool.startsWith('mcp__') ? null : textAfter(input, before ?? '');
  if (after === null) return 'guard cannot tell what would be left of its hooks.';
  if (after.length > SETTINGS_MAX_BYTES)
    return `guard reads settings of at most ${SETTINGS_MAX_BYTES} bytes.`;
  return whyUnhooked(before, after, runningVersion(env));
}
