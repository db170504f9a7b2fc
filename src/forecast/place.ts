/** Which repository a forecast is about, and where it keeps its files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { ownPlace } from '../repo/clones.ts';
import { locateRepo } from '../repo/locate.ts';
import { checkStateDir } from '../repo/state-dir.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Repository } from './checkouts.ts';
import { openGit } from './git.ts';
import { ALONE, forecastDir, type ForecastTurn, holding } from './keep.ts';
import { inPassing } from './passing.ts';

/**
 * The repository around a directory; it may be bare.
 * @throws GuardError GUARD_ERR_GIT if there is none
 */
export async function repositoryAt(cwd: string, env: Environment): Promise<Repository> {
  const { common_dir, root, worktree } = ownPlace(locateRepo(cwd, env));
  if (common_dir !== null) return { common_dir, root: worktree === null ? root : null };
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const { status, out, err } = await openGit({ env }).run({ cwd }, ...asked);
  if (status === 0) return { common_dir: Buffer.from(out.trimEnd(), 'latin1').toString(), root: null };
  const reason = err.split('\n')[0] ?? '';
  throw new GuardError(
    'GUARD_ERR_GIT',
    `${cwd} is not in a git repository: ${reason}`,
    'Run it in a checkout.',
    {
      cwd,
    },
  );
}

/**
 * Allows one forecast at a time if guard is set up; otherwise nothing is kept.
 * @throws GuardError GUARD_ERR_BUSY, GUARD_ERR_STATE_DIR
 */
export function inForecastDir<T>(
  { common_dir }: Repository,
  work: (dir: string, turn: ForecastTurn) => Promise<T>,
): Promise<T> {
  const state_dir = join(common_dir, 'guard');
  if (!existsSync(state_dir)) return inPassing('guard-forecast-', (dir) => work(dir, ALONE));
  checkStateDir(state_dir);
  const dir = forecastDir(state_dir);
  return holding(dir, (turn) => work(dir, turn));
}
