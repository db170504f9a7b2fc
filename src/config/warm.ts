/** Whether a server answers hooks, and how long it stays when idle. Neither changes any decision. */
import { join } from 'node:path';
import { userConfigFile } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { type ConfigInput, REPO_CONFIG } from './load.ts';
import { WARM_IDLE_MS } from './file-keys.ts';

export interface Warm {
  /** `null` if no file sets it. */
  readonly warm: boolean | null;
  readonly idle_ms: number;
}

/** The user's own file takes precedence over the repository's. @throws GuardError GUARD_ERR_CONFIG */
export function loadWarm({ repo, env }: ConfigInput): Warm {
  const user = readConfigFile(userConfigFile(env), 'user')?.warm;
  const here = repo.initialised
    ? readConfigFile(join(repo.root, REPO_CONFIG), 'repository')?.warm
    : undefined;
  const { warm = null, idle_ms = WARM_IDLE_MS } = { ...here, ...user };
  return { warm, idle_ms };
}
