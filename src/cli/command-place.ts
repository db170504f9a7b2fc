import { GuardError } from '../core/error.ts';
import { requireBelieved } from '../repo/known/belief.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Repo } from '../repo/locate.ts';
import type { Shell } from './shell.ts';

/** The repository around the current directory, set up or not. */
export const repoHere = (shell: Shell): Repo => locateRepo(shell.cwd, shell.env);

/** @throws GuardError GUARD_ERR_NOT_INITIALISED, GUARD_ERR_STATE_DIR where its state is not believed */
export function guardedRepo(shell: Shell): Repo {
  const repo = repoHere(shell);
  if (repo.initialised) {
    requireBelieved(repo, shell.env);
    return repo;
  }
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `${repo.root} is not set up for guard.`,
    'Run `guard init` there.',
    { root: repo.root },
  );
}
