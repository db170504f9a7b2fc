import { GuardError } from '../core/error.ts';
import { requireBelieved } from '../repo/known/belief.ts';
import { locateRepo, type Repo } from '../repo/locate.ts';
import type { Surroundings } from '../workspace/workspace.ts';

/** The repository around the current directory, set up or not. */
export const repoHere = ({ cwd, env }: Surroundings): Repo => locateRepo(cwd, env);

/** @throws GuardError GUARD_ERR_NOT_INITIALISED, GUARD_ERR_STATE_DIR if its state is not trusted */
export function guardedRepo(around: Surroundings): Repo {
  const repo = repoHere(around);
  if (repo.initialised) {
    requireBelieved(repo, around.env);
    return repo;
  }
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `${repo.root} is not set up for guard.`,
    'Run `guard init` there.',
    { root: repo.root },
  );
}
