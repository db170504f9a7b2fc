/**
 * Keeps the archive within its limits: compresses what compaction moved there, and deletes segments, oldest first, by
 * age and total size. A deletion is recorded first, with the digest; only that takes the lock. Never runs in a hook.
 */
import { utimesSync } from 'node:fs';
import type { ArchiveLimits } from '../../core/archive-limits.ts';
import { attempt } from '../../core/attempt.ts';
import type { Now } from '../../core/types.ts';
import { digestBytes } from '../../repo/digest.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { asFailure } from '../failure.ts';
import { ARCHIVE_CUT_TYPE } from '../record.ts';
import type { Store } from '../store.ts';
import { type Archived, archivedBytes, archiveDir, archivedIn, archiveSize, ZIPPED } from './archive.ts';
import { removeFile, segmentName } from './files.ts';

export interface ArchiveOptions {
  readonly limits: ArchiveLimits;
  readonly now: Now;
  /** Segments to delete regardless of the limits. */
  readonly drop?: readonly string[];
}

export interface ArchiveReport {
  /** What is left in the archive. */
  readonly segments: number;
  readonly bytes: number;
  readonly packed: number;
  readonly cut: readonly string[];
}

/** Picks up where a killed run left off: with a segment in both forms, or one recorded as deleted but still there. */
export function tendArchive(store: Store, state_dir: string, options: ArchiveOptions): ArchiveReport {
  try {
    const packed = archivedIn(state_dir).filter(({ names }) => names.some((name) => !name.endsWith(ZIPPED)));
    for (const one of packed) pack(state_dir, one);
    const gone = tooMuch(archivedIn(state_dir), options);
    if (gone.length > 0) cut(store, state_dir, gone, options.now);
    const { segments, bytes } = archiveSize(state_dir);
    return { segments, bytes, packed: packed.length, cut: gone.flatMap(({ names }) => names) };
  } catch (error) {
    throw asFailure(error, `tend the archive in ${state_dir}`, { path: archiveDir(state_dir) });
  }
}

/** Syncs and verifies the compressed file before the original is removed. */
function pack(state_dir: string, { names, mtime_ms }: Archived): void {
  const [name = ''] = names;
  const zlib = process.getBuiltinModule('node:zlib');
  const file = `${archiveDir(state_dir)}/${name}`;
  const bytes = archivedBytes(state_dir, name);
  replaceWhole(file + ZIPPED, zlib.gzipSync(bytes), { flush: true });
  utimesSync(file + ZIPPED, mtime_ms / 1000, mtime_ms / 1000);
  if (archivedBytes(state_dir, name + ZIPPED).equals(bytes)) removeFile(file);
}

/** Deletes from the oldest on, so that no gap appears, plus the segments that were asked for. */
function tooMuch(all: readonly Archived[], { limits, now, drop = [] }: ArchiveOptions): readonly Archived[] {
  let bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  const isOver = (one: Archived): boolean =>
    bytes > limits.max_bytes || now.wall_ms - one.mtime_ms > limits.max_age_ms;
  let stays = all.findIndex((one) => {
    const isKept = !isOver(one);
    bytes -= one.bytes;
    return isKept;
  });
  if (stays < 0) stays = all.length;
  return all.filter((one, at) => at < stays || drop.includes(segmentName(one.base)));
}

function cut(store: Store, state_dir: string, gone: readonly Archived[], { wall_ms: ts_ms }: Now): void {
  const segments = gone.map(({ base, names: [name = ''] }) => {
    const bytes = attempt(() => archivedBytes(state_dir, name), null);
    // The contents of an unreadable segment are unknown.
    return bytes === null
      ? { first: base, end: null, sha256: null }
      : { first: base, end: base + bytes.length, sha256: digestBytes(bytes) };
  });
  const { tip } = store.look([]);
  const body = { type: ARCHIVE_CUT_TYPE, agent: 'guard', ts_ms, segments, s: {} };
  store.commit({ tip, keys: new Map(), lists: [] }, [body]);
  for (const { names } of gone) for (const name of names) removeFile(`${archiveDir(state_dir)}/${name}`);
}
