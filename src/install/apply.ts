/**
 * Carries out plan.ts's plan. What is needed to undo a change is written before the change; install.json, which makes the
 * repository guarded, comes last. After a crash in between, running `guard init` again repairs it.
 */
import { basename } from 'node:path';
import { rfc3339 } from '../core/rfc3339.ts';
import { isGuardError } from '../core/error.ts';
import type { Now } from '../core/types.ts';
import { DEFAULTS } from '../config/schema.ts';
import { probeFold } from '../repo/fold.ts';
import { type Install, readInstall, writeInstall } from '../repo/install.ts';
import { claimPlace, requireMarkable } from '../repo/known/marking.ts';
import { isOwnState } from '../repo/known/own.ts';
import type { Repo } from '../repo/locate.ts';
import { createStateDir, ensureStateDir } from '../repo/state-dir.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import { alone } from '../store/upkeep.ts';
import { rootsOf } from './checkouts.ts';
import { applyChange, backUp, isChange, makeParents, refuseReadOnly, removeEmpty } from './file-change.ts';
import type { FileChange } from './file-change.ts';
import { dropForeignWords } from './foreign-words.ts';
import type { CommandOnRecord } from './guard-command.ts';
import { grantVetoPass } from './grant-veto-pass.ts';
import { GIT_HOOKS } from './git-hook/script.ts';
import { bringBackState } from './kept-state.ts';
import type { InstallPlan, InstallRecord } from './plan.ts';
import type { Scope } from './scopes.ts';
import type { PlannedFile } from './settings-change.ts';
import { writeStateJson } from './state-json.ts';
import { bookHere } from './undo-here.ts';
import type { UninstallPlace } from './uninstall.ts';
import { readUndo, UNDO_FILE, type UndoBook, type UndoEntry } from './undo.ts';
import { endPause } from './user-pause.ts';

export interface ApplyPlace extends UninstallPlace {
  readonly scope: Scope;
  readonly now: Now;
}

/** @throws GuardError GUARD_ERR_SETTINGS, GUARD_ERR_STATE_DIR, GUARD_ERR_VERSION */
export function applyInstall(plan: InstallPlan, place: ApplyPlace): void {
  const { repo, env, scope, now } = place;
  plan.changes.forEach((change) => refuseReadOnly(change.found));
  requireMarkable(env);
  bringBackState(repo);
  createStateDir(repo);
  const install = claim(plan.record, place);
  const roots = rootsOf(repo);
  const before = bookHere(readUndo(repo.state_dir), roots).files;
  const left_dirs = plan.left.flatMap((change) => before[change.found.target]?.dirs ?? []);
  const placed = plan.placed.map((file, nth) => prepare(file, nth === 0 ? left_dirs : []));
  const beside = plan.beside.map((file) => prepare(file, []));
  const own = [...(scope === 'user' ? [] : placed), ...beside];
  record(repo.state_dir, (book) => ({ ...bookWith(bookHere(book, roots), own, plan.left), roots }));
  if (scope === 'user') {
    ensureStateDir(userStateDir(env));
    record(userStateDir(env), (book) => usedBy(bookWith(book, placed, []), repo.state_dir));
  }
  grantVetoPass([repo.state_dir, place.ledger_dir], plan.changes, 'guard init', now);
  plan.changes.forEach(applyChange);
  removeEmpty(left_dirs);
  endPause(repo, env);
  writeInstall(repo.state_dir, install);
}

/** Runs under the lock: of two that start at the same time, the second finds what the first one claimed. */
function claim(record: InstallRecord, { repo, env, now }: ApplyPlace): Install & CommandOnRecord {
  const claimed: (Install & CommandOnRecord)[] = [];
  alone(repo.state_dir, () => {
    const is_own = isOwnState(repo, env);
    dropForeignWords(repo, is_own);
    claimed.push(claimPlace(repo, env, installFor(record, repo, is_own, now)));
  });
  return claimed[0] ?? installFor(record, repo, false, now);
}

/** A hook that was there before is kept whole, under another name. */
const isHook = ({ found }: FileChange): boolean => Object.hasOwn(GIT_HOOKS, basename(found.target));

/**
 * Creates parents and the backup first, because both have to be undone later. A file that guard created needs no backup.
 * @param left_dirs directories created for files of another scope; the last scope to be removed removes them
 */
function prepare(file: PlannedFile, left_dirs: readonly string[]): PlannedFile {
  const { change, entry } = file;
  const is_change = isChange(change);
  const made = is_change ? makeParents(change.found.target) : [];
  const dirs = [...new Set([...left_dirs, ...entry.dirs, ...made])];
  const backup =
    entry.backup ?? (is_change && entry.before !== null && !isHook(change) ? backUp(change.found) : null);
  return { change, entry: { ...entry, dirs, backup } };
}

/** Under the directory's lock: two that run at the same time must not drop each other's entries. */
function record(dir: string, change: (book: UndoBook) => UndoBook): void {
  alone(dir, () => writeStateJson(dir, UNDO_FILE, change(readUndo(dir))));
}

const usedBy = (book: UndoBook, state_dir: string): UndoBook => ({
  ...book,
  used_by: [...new Set([...book.used_by, state_dir])],
});

function bookWith(book: UndoBook, placed: readonly PlannedFile[], left: readonly FileChange[]): UndoBook {
  const gone = left.map((change) => change.found.target);
  const kept = Object.entries(book.files).filter(([path]) => !gone.includes(path));
  const added = placed.map(({ change, entry }) => {
    const path = change.found.target;
    return [path, joined(entry, book.files[path])] as const;
  });
  const files: Readonly<Record<string, UndoEntry>> = Object.fromEntries([...kept, ...added]);
  return { ...book, v: 1, files };
}

/** What another `guard init` has just created must be undone as well. */
function joined(entry: UndoEntry, known: UndoEntry | undefined): UndoEntry {
  const dirs = [...new Set([...(known?.dirs ?? []), ...entry.dirs])];
  return {
    ...entry,
    dirs,
    made: entry.made || known?.made === true,
    backup: entry.backup ?? known?.backup ?? null,
  };
}

/** From a directory that is not known to be ours, only the id is kept: another home may know it by that. */
function installFor(record: InstallRecord, repo: Repo, is_own: boolean, now: Now): Install & CommandOnRecord {
  const found = readable(repo);
  const before = is_own ? found : null;
  return {
    ...(before?.shared_as === undefined ? { v: 1 } : { v: 2, shared_as: before.shared_as }),
    ...(before?.alone === true && { alone: true }),
    ...(found?.id === undefined ? {} : { id: found.id }),
    enforcement_floor: record.enforcement_floor,
    unread_floor: record.unread_floor,
    ttl_ms: before?.ttl_ms ?? DEFAULTS.ttl,
    release_on: before?.release_on ?? DEFAULTS.release_on,
    ...foldOf(repo, before),
    ...{ guard_root: record.guard_root, command: record.command },
    created_at: before?.created_at ?? rfc3339(now.wall_ms),
  };
}

/** Keys in the ledger were folded this way, so it never changes for an existing ledger. */
function foldOf(repo: Repo, before: Install | null) {
  if (before === null) return probeFold(repo.state_dir);
  return { case_fold: before.case_fold, unicode_fold: before.unicode_fold };
}

/** A damaged install.json is written again; one from a newer guard is left alone. */
function readable(repo: Repo): Install | null {
  try {
    return readInstall(repo.state_dir);
  } catch (error) {
    if (isGuardError(error) && error.code === 'GUARD_ERR_VERSION') throw error;
    return null;
  }
}
