/** Which ledger a command about ledgers means: that of the surrounding repository, or the user's own. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { GuardError } from '../core/error.ts';
import { locateRepo, type Repo } from '../repo/locate.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import { list } from '../store/upkeep.ts';
import { guardedRepo } from './command-place.ts';
import type { Shell } from './shell.ts';

export interface LedgerPlace {
  /** The repository whose configuration applies. */
  readonly repo: Repo;
  readonly state_dir: string;
}

export interface WhichLedger {
  readonly user?: boolean;
}

export const withUserOption = (command: Command): Command =>
  command.option('--user', 'your own ledger: files outside guarded repositories');

/** @throws GuardError GUARD_ERR_NOT_INITIALISED if there is none */
export function ledgerPlace(shell: Shell, { user }: WhichLedger): LedgerPlace {
  if (user === true) return userPlace(shell);
  const repo = guardedRepo(shell);
  return { repo, state_dir: repo.state_dir };
}

function userPlace({ env }: Shell): LedgerPlace {
  const state_dir = userStateDir(env);
  // Located from there, so that no repository's configuration applies, wherever the command is called. The directory may
  // exist without a ledger, because it also contains the marks of repositories.
  if (existsSync(state_dir) && !isEmpty(state_dir)) return { repo: locateRepo(state_dir), state_dir };
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `You have no ledger of your own: there is no ${state_dir}.`,
    'guard creates it when an agent touches a file outside every guarded repository.',
    { path: state_dir },
  );
}

function isEmpty(state_dir: string): boolean {
  const { segments, hasIndex } = list(state_dir);
  return segments.length === 0 && !hasIndex;
}
