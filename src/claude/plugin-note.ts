/**
 * What a session must know that runs guard as a plugin in an old client. Up to 2.1.100 the client drops the plugin's
 * second hook file, because it does not know the events in it; 2.1.200 and newer take it, and say their version.
 */
import type { Environment } from '../repo/user-dirs.ts';

const NEEDED = [2, 1, 200];

const NOTE =
  'Tell the user: this Claude Code is older than 2.1.200, so the guard plugin does not see failed tools, the start of subagents and changes of settings here. Updating Claude Code closes that gap.';

/** Empty: not a plugin's hook, or a client that knows every event. */
export function pluginNote(env: Environment): string {
  if ((env['CLAUDE_PLUGIN_ROOT'] ?? '') === '') return '';
  const said = /^claude-code_(\d+)-(\d+)-(\d+)/.exec(env['AI_AGENT'] ?? '')?.slice(1, 4);
  return said !== undefined && isEnough(said.map(Number)) ? '' : NOTE;
}

function isEnough(version: readonly number[]): boolean {
  const at = NEEDED.findIndex((wanted, index) => version[index] !== wanted);
  return at < 0 || (version[at] ?? 0) > (NEEDED[at] ?? 0);
}
