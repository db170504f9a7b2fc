/** Which state directory keeps the ledger of a repository. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { GuardError } from '../core/error.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import type { Repo } from '../repo/locate.ts';

/**
 * Of an initialised repository its own; for every other file the user's, where baselines and writes in
 * flight count but leases do not.
 */
export function stateDirOf(repo: Repo, env: NodeJS.ProcessEnv): string {
  if (repo.initialised) return repo.state_dir;
  const dir = userStateDir(env);
  makeDirs(dir);
  return dir;
}

/** Level by level: `recursive` of Node 20 never returns below /proc. */
function makeDirs(dir: string): void {
  const above = dirname(dir);
  if (fs.existsSync(dir)) return;
  if (above !== dir) makeDirs(above);
  try {
    fs.mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    const hint = 'Set HOME, or XDG_STATE_HOME, to a directory that can be written.';
    throw new GuardError('GUARD_ERR_STATE_DIR', `${dir} cannot be made.`, hint, { dir }, error);
  }
}
