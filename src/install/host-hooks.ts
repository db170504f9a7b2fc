// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether a client other than Claude Code has guard's hooks, in a checkout or for the user. */
import { join } from 'node:path';
import type { ClientName } from '../repo/client-programs.ts';
import { type Environment, homeOf } from '../repo/user-dirs.ts';
import { containsGuard } from './other-hosts.ts';

type HostClient = Exclude<ClientName, 'claude'>;

/** Where guard's hooks for a client may be, in a checkout and for the user. */
const HOOKS_OF: Readonly<Record<HostClient, (root: string, env: Environment) => readonly string[]>> = {
  codex: (root, env) => [
    ...['hooks.json', 'config.toml'].map((name) => join(root, '.codex', name)),
    ...['hooks.json', 'config.toml'].map((name) =>
      join(env['CODEX_HOME'] || join(homeOf(env), '.codex'), name),
    ),
  ],
  gemini: (root, env) => [root, homeOf(env)].map((at) => join(at, '.gemini/settings.json')),
  qwen: (root, env) => [root, homeOf(env)].map((at) => join(at, '.qwen/settings.json')),
  // It also runs the hooks of Claude Code's project settings.
  copilot: (root) => [join(root, '.github/hooks'), join(root, '.claude/settings.json')],
  opencode: (root, env) => [
    ...['.opencode/plugin', '.opencode/plugins'].map((name) => join(root, name)),
    ...['plugin', 'plugins'].map((name) => join(homeOf(env), '.config/opencode', name)),
  ],
};

/** Whether guard's hooks for this client are there. Whether the client runs them is another question. */
export const runsHookOf = (client: HostClient, root: string, env: Environment): boolean =>
  HOOKS_OF[client](root, env).some(containsGuard);
