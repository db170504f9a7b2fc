/**
 * What `guard init` changed, so that `guard uninstall` can restore every file byte for byte. Kept in the state directory
 * (0600: settings may contain keys); for the user scope in the user's own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../core/types.ts';
import { errnoOf, isAbsent } from '../repo/errno.ts';
import type { Roots } from './checkouts.ts';
import type { Added } from './merge-rules.ts';
import { GuardError } from '../core/error.ts';

export interface UndoEntry {
  /** Base64 of the file without guard; `null` if there was none. */
  readonly before: string | null;
  /** What guard left. While the file still has this digest, `before` undoes it exactly. */
  readonly after: Digest | null;
  readonly added: Added;
  /** Whether guard's hooks are in it. */
  readonly hooks: boolean;
  /** False if everything was there already, as in a clone of a repository that commits its settings. */
  readonly made: boolean;
  /** Directories created for it, outermost first. */
  readonly dirs: readonly string[];
  readonly backup: string | null;
}

/** By path of the file, with links resolved. */
export type UndoFiles = Readonly<Record<string, UndoEntry>>;

export interface UndoBook {
  readonly v: 1;
  readonly files: UndoFiles;
  /** State directories of the repositories that rely on it; only in the user's own. */
  readonly used_by: readonly string[];
  /** Where the repository's checkouts were when it was written. Absent in the user's own, and in books of guard 0.1. */
  readonly roots?: Roots;
}

export const UNDO_FILE = 'undo.json';
export const EMPTY_BOOK: UndoBook = { v: 1, files: {}, used_by: [] };

/** @throws GuardError GUARD_ERR_STATE_DIR if it is damaged: nothing must be guessed about the user's files */
export function readUndo(dir: string): UndoBook {
  const file = join(dir, UNDO_FILE);
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<UndoBook>;
    if (value.v === 1 && typeof value.files === 'object') return { ...EMPTY_BOOK, ...value };
  } catch (error) {
    if (isAbsent(errnoOf(error))) return EMPTY_BOOK;
  }
  throw new GuardError(
    'GUARD_ERR_STATE_DIR',
    `${file} is damaged, so the earlier contents of the files are unknown.`,
    'Compare the settings with their .guard-backup, then remove this file and run the command again.',
    { file },
  );
}
