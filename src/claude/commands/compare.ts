/** Which files of a book have changed: a stat for each, and the content only if the stat differs. */
import { ifAllowed } from '../../core/attempt.ts';
import type { Digest, RepoPath } from '../../core/types.ts';
import { digestFile } from '../../repo/digest.ts';
import { type Stamp, stampOf } from '../../repo/stat-key.ts';
import { type Book, settled, type WatchEntry } from './watch-book.ts';

export interface ComparedFile {
  readonly path: RepoPath;
  readonly abs: string;
  readonly entry: WatchEntry;
  readonly stamp: Stamp;
  /** Null if there was no file, or its content is not known. */
  readonly from: Digest | null;
  readonly to: Digest | null;
  /** The current content, up to 16 MiB. */
  readonly bytes: Buffer | undefined;
}

export interface Comparing {
  readonly now_ms: number;
  readonly deadline: () => void;
  readonly spelled: (path: RepoPath) => string;
  /** Whether to digest files of which only the key is known, as far as that is quick. */
  readonly learns: boolean;
  /** Keeps contents that were read anyway, because someone may want them back. */
  readonly keep: (path: RepoPath, abs: string, seen: Content) => void;
}

/** The contents that one hook reads: 4 MiB take 10 ms. The rest is compared by a later hook. */
const LEARNT_MAX_BYTES = 4 << 20;
const CHANGED_MAX_BYTES = 64 << 20;

/** Entries whose content has not changed get their new key. */
export function differing(book: Book, comparing: Comparing): readonly ComparedFile[] {
  const { now_ms, spelled, learns, keep } = comparing;
  const found: ComparedFile[] = [];
  const left = { learn_bytes: learns ? LEARNT_MAX_BYTES : 0, change_bytes: CHANGED_MAX_BYTES };
  for (const [path, entry] of book.files) {
    const abs = spelled(path);
    const stamp = stampOf(abs);
    const is_same = stamp.key === entry.key;
    if (is_same && (entry.digest !== undefined || stamp.bytes > left.learn_bytes)) continue;
    if (is_same) left.learn_bytes -= stamp.bytes;
    else left.change_bytes -= stamp.bytes;
    if (left.change_bytes < 0) break;
    const to = contentOf({ abs, stamp, entry }, comparing);
    if (to === null) continue;
    keep(path, abs, to);
    const now = { key: settled(stamp, now_ms), digest: to.digest };
    // If the old content is not known, size and modification time show whether the file has changed. Of a file that had just
    // changed when it was first seen, they are not known either.
    const is_known = entry.digest !== undefined;
    if (is_known ? entry.digest === to.digest : entry.key === '' || sameSizeAndTime(entry.key, stamp.key)) {
      Object.assign(entry, now);
      book.changed = true;
    } else
      found.push({ path, abs, entry, stamp, from: entry.digest ?? null, to: to.digest, bytes: to.bytes });
  }
  return found;
}

interface Content {
  readonly digest: Digest | null;
  readonly bytes: Buffer | undefined;
}

const GONE: Content = { digest: null, bytes: undefined };

/** Null if it cannot be read now (it is being written, or is not readable). A link or a directory in its place: the file is gone. */
function contentOf(
  { abs, stamp, entry }: Pick<ComparedFile, 'abs' | 'stamp' | 'entry'>,
  { deadline }: Comparing,
): Content | null {
  if (stamp.key === '') return GONE;
  return ifAllowed(() => {
    const { state, digest, bytes, error } = digestFile(abs, { deadline, want_bytes: true });
    const isOther = state === 'directory' || state === 'special' || error === 'ELOOP';
    if (isOther && typeof entry.digest === 'string') return GONE;
    return state === 'file' || state === 'missing' ? { digest, bytes } : null;
  }, null);
}

/** `dev.ino.size.mtime.ctime` */
function sameSizeAndTime(before: string, now: string): boolean {
  const [, , size, mtime] = before.split('.');
  const [, , size_now, mtime_now] = now.split('.');
  return size === size_now && mtime === mtime_now;
}

/** Marks a difference as accounted for. */
export function account(book: Book, { entry, stamp, to }: ComparedFile, now_ms: number): void {
  Object.assign(entry, { key: settled(stamp, now_ms), digest: to });
  book.changed = true;
}
