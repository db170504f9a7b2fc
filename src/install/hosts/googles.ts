/** Gemini CLI and Qwen Code: `settings.json` with Claude's nesting, timeouts in milliseconds, a name for each hook. */
import type { HookEntry, HookGroup } from '../entries.ts';
import { TIMEOUT_S } from './host.ts';

export function googlesGroup(command: string, matcher?: string, name = 'guard'): HookGroup {
  const entry: HookEntry & { readonly name: string } = {
    name,
    type: 'command',
    command,
    timeout: TIMEOUT_S * 1000,
  };
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] };
}
