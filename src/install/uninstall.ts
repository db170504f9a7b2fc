/**
 * `guard uninstall`: restores every file exactly if no one else has changed it; otherwise removes guard's entries. Works
 * while sessions are running: a pass in the state directory lets these changes through guard's own veto.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Now } from '../core/types.ts';
import { forgetPlace } from '../repo/known/marking.ts';
import { isOwnState } from '../repo/known/own.ts';
import type { Repo } from '../repo/locate.ts';
import { ensureStateDir } from '../repo/state-dir.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';
import { realPath } from '../repo/real-path.ts';
import { refuseCopy, type Roots, rootsOf } from './checkouts.ts';
import { LAUNCHER, MCP_FILE } from './command.ts';
import {
  applyChange,
  BACKUP_SUFFIX,
  type FileChange,
  findFile,
  isChange,
  refuseReadOnly,
  removeEmpty,
} from './file-change.ts';
import { grantVetoPass } from './grant-veto-pass.ts';
import { putAwayState } from './kept-state.ts';
import { HOST_FILES } from './hosts/place.ts';
import { OFF_FILE } from './off.ts';
import { settingsPath } from './scopes.ts';
import { HOOK_NAMES, withoutGuard } from './without-guard.ts';
import { writeStateJson } from './state-json.ts';
import { ownBook, userBook } from './own-book.ts';
import { UNDO_FILE, type UndoBook, type UndoEntry } from './undo.ts';
import { isIn } from './undo-here.ts';

export interface UninstallPlace {
  readonly repo: Repo;
  /** Where sessions look for passes: the ledger may be another clone's. */
  readonly ledger_dir: string;
  readonly env: Environment;
}

export interface UninstallPlan {
  readonly changes: readonly FileChange[];
  readonly entries: readonly UndoEntry[];
  /** Files outside the repository that links lead to, with guard's entries that were not made from here. */
  readonly elsewhere: readonly string[];
  /** Other repositories that rely on the user's settings, which therefore stay hooked. */
  readonly kept_for: readonly string[];
  /** The user's book without this repository; `null` if this repository is not in it. */
  readonly user_book: UndoBook | null;
}

/** Only reads and decides. @throws GuardError GUARD_ERR_SETTINGS, GUARD_ERR_STATE_DIR */
export function planUninstall({ repo, env }: Omit<UninstallPlace, 'ledger_dir'>): UninstallPlan {
  const own_book = ownBook(repo, env);
  const user = userBook(repo, env);
  const roots = rootsOf(repo);
  refuseCopy(repo, own_book.roots ?? roots);
  const own = own_book.files;
  const uses_user = user.used_by.includes(repo.state_dir);
  const kept_for = uses_user ? user.used_by.filter((dir) => dir !== repo.state_dir && existsSync(dir)) : [];
  const lent = uses_user && kept_for.length === 0 ? user.files : {};
  const here = [
    settingsPath('project', repo.root, env),
    settingsPath('local', repo.root, env),
    join(repo.root, LAUNCHER),
    join(repo.root, MCP_FILE),
    ...HOST_FILES.map((file) => join(repo.root, file)),
  ];
  const book = { ...lent, ...own };
  const hooks =
    repo.common_dir === null
      ? []
      : HOOK_NAMES.map((name) => join(realPath(repo.common_dir ?? ''), 'hooks', name));
  const found = here.map((path) => findFile(path).target);
  const [mine, others] = parted(
    [...found, ...hooks],
    (path) => book[path] !== undefined || isOfRepo(path, roots),
  );
  const paths = new Set([...Object.keys(book), ...mine]);
  return {
    changes: [...paths].map((path) => withoutGuard(path, book[path])).filter(isChange),
    elsewhere: others.filter((path) => isChange(withoutGuard(path, undefined))),
    entries: Object.values(book),
    kept_for,
    user_book: uses_user ? { v: 1, files: kept_for.length === 0 ? {} : user.files, used_by: kept_for } : null,
  };
}

const isOfRepo = (path: string, roots: Roots): boolean =>
  isIn(join(realPath(dirname(path)), basename(path)), roots);

function parted(paths: readonly string[], isFirst: (path: string) => boolean): [string[], string[]] {
  return [paths.filter(isFirst), paths.filter((path) => !isFirst(path))];
}

/** Where the ledger is kept; `null` if there is none left. */
export function applyUninstall(
  plan: UninstallPlan,
  place: UninstallPlace,
  purge: boolean,
  now: Now,
): string | null {
  const { repo, env } = place;
  plan.changes.forEach((change) => refuseReadOnly(change.found));
  // Hooks notified of the change after the state directory is gone look into the user's own.
  ensureStateDir(userStateDir(env));
  const own = isOwnState(repo, env) ? [repo.state_dir, place.ledger_dir] : [];
  const dirs = [...new Set([...own, userStateDir(env)])].filter((dir) => existsSync(dir));
  grantVetoPass(dirs, plan.changes, 'guard uninstall', now);
  plan.changes.forEach(applyChange);
  plan.entries.forEach(tidyUp);
  if (plan.user_book !== null) writeStateJson(userStateDir(env), UNDO_FILE, plan.user_book);
  for (const name of [UNDO_FILE, OFF_FILE]) rmSync(join(repo.state_dir, name), { force: true });
  const kept = putAwayState(repo, purge);
  forgetPlace(repo, env);
  return kept;
}

/** Removes a backup if the original is restored; otherwise the backup is all that is left of it. */
function tidyUp(entry: UndoEntry): void {
  const { backup, before, dirs } = entry;
  const isBack = backup !== null && before !== null && existsSync(backup) && isRestored(backup, before);
  if (isBack) rmSync(backup);
  removeEmpty(dirs);
}

function isRestored(backup: string, before: string): boolean {
  const original = Buffer.from(before, 'base64');
  const file = backup.slice(0, -BACKUP_SUFFIX.length);
  return existsSync(file) && readFileSync(file).equals(original) && readFileSync(backup).equals(original);
}
