/** Which state directory keeps the ledger of a repository. */
import fs from 'node:fs';
import { isBelieved, requireBelieved } from '../repo/known/belief.ts';
import { makeDirs } from '../repo/make-dirs.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import type { Looks, Repo } from '../repo/locate.ts';

/**
 * An initialised repository's own; for every other file the user's, where baselines and open writes apply but leases do
 * not. Throws GUARD_ERR_STATE_DIR or GUARD_ERR_NOT_INITIALISED if it is not trusted.
 */
export function stateDirOf(repo: Repo, env: NodeJS.ProcessEnv, { installs }: Looks): string {
  if (!repo.initialised) return ownLedger(env);
  requireBelieved(repo, env, installs);
  return repo.state_dir;
}

/** The directory that may contain a pause and a pass: an untrusted state directory has neither. */
export const wordDirOf = (repo: Repo, env: NodeJS.ProcessEnv): string =>
  repo.initialised && isBelieved(repo, env) ? repo.state_dir : ownLedger(env);

function ownLedger(env: NodeJS.ProcessEnv): string {
  const dir = userStateDir(env);
  if (!fs.existsSync(dir)) makeDirs(dir);
  return dir;
}
