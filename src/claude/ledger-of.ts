/** Which state directory keeps the ledger of a repository. */
import fs from 'node:fs';
import { userStateDir } from '../repo/user-dirs.ts';
import type { Repo } from '../repo/locate.ts';

/**
 * Of an initialised repository its own; for every other file the user's, where baselines and writes in
 * flight count but leases do not.
 */
export function stateDirOf(repo: Repo, env: NodeJS.ProcessEnv): string {
  if (repo.initialised) return repo.state_dir;
  const dir = userStateDir(env);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}
