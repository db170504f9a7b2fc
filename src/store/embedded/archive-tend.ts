/**
 * The archive, kept within its bounds: what compaction put aside is compressed, and what is too old or too much goes, oldest
 * first. What goes is on record before it goes, with its digest. Outside of any hook, and without the lock but for that record.
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
  /** These go whatever the limits are. */
  readonly drop?: readonly string[];
}

export interface ArchiveReport {
  /** What is there now. */
  readonly segments: number;
  readonly bytes: number;
  readonly packed: number;
  readonly cut: readonly string[];
}

/** A killed process leaves a segment in both forms, or on record as gone and still there: the next one goes on. */
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

/** The new form is forced to disk and compared before the old one goes. */
function pack(state_dir: string, { names, mtime_ms }: Archived): void {
  const [name = ''] = names;
  const zlib = process.getBuiltinModule('node:zlib');
  const file = `${archiveDir(state_dir)}/${name}`;
  const bytes = archivedBytes(state_dir, name);
  replaceWhole(file + ZIPPED, zlib.gzipSync(bytes), { flush: true });
  utimesSync(file + ZIPPED, mtime_ms / 1000, mtime_ms / 1000);
  if (archivedBytes(state_dir, name + ZIPPED).equals(bytes)) removeFile(file);
}

/** From the oldest on, so that nothing is missing in between; and what somebody asked for. */
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
    // Of one that cannot be read nobody knows what it was.
    return bytes === null
      ? { first: base, end: null, sha256: null }
      : { first: base, end: base + bytes.length, sha256: digestBytes(bytes) };
  });
  const { tip } = store.look([]);
  const body = { type: ARCHIVE_CUT_TYPE, agent: 'guard', ts_ms, segments, s: {} };
  store.commit({ tip, keys: new Map(), lists: [] }, [body]);
  for (const { names } of gone) for (const name of names) removeFile(`${archiveDir(state_dir)}/${name}`);
}
