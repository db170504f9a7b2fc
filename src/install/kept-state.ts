/**
 * `guard uninstall` keeps the ledger under another name beside the state directory: a repository with a state
 * directory is a guarded one. `guard init` takes it up again, so fencing tokens go on growing.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { GuardError } from '../core/error.ts';
import type { Repo } from '../repo/locate.ts';
import { checkStateDir } from '../repo/state-dir.ts';

export const keptStateDir = (repo: Repo): string => `${repo.state_dir}.uninstalled`;

export function bringBackState(repo: Repo): void {
  const kept = keptStateDir(repo);
  if (existsSync(repo.state_dir) || !existsSync(kept)) return;
  checkStateDir(kept);
  renameSync(kept, repo.state_dir);
}

/** A repository that nobody worked in yet has none. */
export const hasLedger = (repo: Repo): boolean =>
  existsSync(repo.state_dir) && readdirSync(repo.state_dir).some((name) => name.startsWith('ledger-'));

/** Where the ledger is now; null when it was empty, or `purge` removed it. */
export function putAwayState(repo: Repo, purge: boolean): string | null {
  if (!existsSync(repo.state_dir)) return null;
  checkStateDir(repo.state_dir);
  if (purge || !hasLedger(repo)) {
    rmSync(repo.state_dir, { recursive: true, force: true });
    return null;
  }
  const kept = keptStateDir(repo);
  if (existsSync(kept)) {
    throw new GuardError(
      'GUARD_ERR_STATE_DIR',
      `${kept} is in the way: it holds the ledger of an earlier installation.`,
      'Move it elsewhere, or remove it, then run `guard uninstall` again.',
      { dir: kept },
    );
  }
  renameSync(repo.state_dir, kept);
  return kept;
}
