/**
 * A note for a session that runs guard as a plugin in an old client. Up to 2.1.100 the client drops the plugin's second
 * hook file, because it does not know the events in it; 2.1.200 and newer accept it, and report their version.
 */
import { isBefore, runningVersion } from '../settings/version.ts';
import type { Environment } from '../repo/user-dirs.ts';

const NOTE =
  'Tell the user: this Claude Code is older than 2.1.200, so the guard plugin does not see failed tools, the start of subagents or changes to settings here. Updating Claude Code closes that gap.';

/** Empty if this is not a plugin's hook, or if the client knows every event. */
export function pluginNote(env: Environment): string {
  if ((env['CLAUDE_PLUGIN_ROOT'] ?? '') === '') return '';
  const version = runningVersion(env);
  return version === null || isBefore(version, '2.1.200') ? NOTE : '';
}
