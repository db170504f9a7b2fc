/** Translates an undo book (undo.ts) to where the files are now. Pure. */
import type { Roots } from './checkouts.ts';
import { BACKUP_SUFFIX } from './file-change.ts';
import type { UndoBook, UndoEntry } from './undo.ts';

/**
 * The book of a repository that may have been moved, or may be a copy of the one it was written in: a file of a checkout is
 * looked for in that checkout's current location, and nowhere else. A file outside (a link led to it) counts as this
 * repository's only while nothing was moved.
 */
export function bookHere(book: UndoBook, now: Roots): UndoBook {
  const then = book.roots ?? now;
  const isSamePlace = Object.entries(now).every(([name, dir]) => (then[name] ?? dir) === dir);
  const moved = (path: string): string | null =>
    movedPath(path, then, now) ?? (isSamePlace && book.roots !== undefined ? path : null);
  const files = Object.entries(book.files).flatMap(([path, entry]) => {
    const at = moved(path);
    return at === null ? [] : [[at, entryAt(at, entry, moved)] as const];
  });
  return { ...book, files: Object.fromEntries(files) };
}

/** `null` if it was not in any directory that is known now. The innermost counts: a worktree may be in the main checkout. */
function movedPath(path: string, then: Roots, now: Roots): string | null {
  const [innermost] = Object.entries(then)
    .filter(([, dir]) => isBelow(path, dir))
    .toSorted(([, a], [, b]) => b.length - a.length);
  const to = innermost === undefined ? undefined : now[innermost[0]];
  return innermost === undefined || to === undefined ? null : to + path.slice(innermost[1].length);
}

const isBelow = (path: string, dir: string): boolean => path.startsWith(`${dir}/`);

function entryAt(path: string, entry: UndoEntry, moved: (path: string) => string | null): UndoEntry {
  const dirs = entry.dirs.flatMap((dir) => moved(dir) ?? []).filter((dir) => isBelow(path, dir));
  return { ...entry, dirs, backup: entry.backup === null ? null : `${path}${BACKUP_SUFFIX}` };
}

/** `null` if the book does not say. */
export function stateDirThen({ roots }: UndoBook): string | null {
  const git = roots?.['.git'];
  const main = roots?.['.'];
  if (git !== undefined) return `${git}/guard`;
  return main === undefined ? null : `${main}/.guard`;
}

export const isIn = (path: string, roots: Roots): boolean =>
  Object.values(roots).some((dir) => isBelow(path, dir));
