import { GuardError } from '../core/error.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Repo } from '../repo/locate.ts';
import type { Shell } from './shell.ts';

/** The repository around the current directory, set up or not. */
export const repoHere = (shell: Shell): Repo => locateRepo(shell.cwd);

/** @throws GuardError GUARD_ERR_NOT_INITIALISED */
export function guardedRepo(shell: Shell): Repo {
  const repo = repoHere(shell);
  if (repo.initialised) return repo;
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `${repo.root} is not set up for guard.`,
    'Run `guard init` there.',
    { root: repo.root },
  );
}
