/**
 * `guard uninstall` keeps the ledger under another name next to the state directory, because a repository with a state
 * directory counts as guarded. `guard init` reuses it, so fencing tokens keep growing.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { contentsDir } from '../contents/entry.ts';
import { GuardError } from '../core/error.ts';
import { forecastDir } from '../forecast/keep.ts';
import type { Repo } from '../repo/locate.ts';
import { checkStateDir } from '../repo/state-dir.ts';

export const keptStateDir = (repo: Repo): string => `${repo.state_dir}.uninstalled`;

export function bringBackState(repo: Repo): void {
  const kept = keptStateDir(repo);
  if (existsSync(repo.state_dir) || !existsSync(kept)) return;
  checkStateDir(kept);
  renameSync(kept, repo.state_dir);
}

/** False for a repository without any work yet, and for a directory that we may not read. */
export const hasLedger = (repo: Repo): boolean =>
  attempt(() => readdirSync(repo.state_dir).some((name) => name.startsWith('ledger-')), false);

/** The only damage that can be repaired without knowing its author: our directory, readable by others. */
export function isOursButOpen({ state_dir }: Pick<Repo, 'state_dir'>): boolean {
  const stat = lstatSync(state_dir, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0;
}

/** Where the ledger is now; `null` if it was empty, or `purge` removed it. */
export function putAwayState(repo: Repo, purge: boolean): string | null {
  const stat = lstatSync(repo.state_dir, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) {
    // Only the name: its target may belong to anyone.
    unlinkSync(repo.state_dir);
    return null;
  }
  if (isOursButOpen(repo)) chmodSync(repo.state_dir, 0o700);
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
  // Copies of files are of no use without guard; the ledger has its tokens.
  for (const dir of [contentsDir(repo.state_dir), forecastDir(repo.state_dir)])
    rmSync(dir, { recursive: true, force: true });
  renameSync(repo.state_dir, kept);
  return kept;
}
