/**
 * The archive: older records that compaction moved aside, kept for people who look back. Segments are unchanged or
 * compressed (archive-tend.ts); of both forms, the unchanged one is read. Missing or damaged segments are skipped.
 */
import { constants, lstatSync, readdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { decodeRecord } from '../record.ts';
import { close, openFile, segmentName } from './files.ts';
import { readAt, sumFor } from './walk.ts';

export const ZIPPED = '.gz';

/** One archived segment. */
export interface Archived {
  readonly base: Lsn;
  /** File names: the uncompressed form first, then the compressed one. */
  readonly names: readonly string[];
  readonly bytes: number;
  readonly mtime_ms: number;
}

export const archiveDir = (state_dir: string): string => `${state_dir}/archive`;

/** Oldest first. */
export function archivedIn(state_dir: string): readonly Archived[] {
  const dir = archiveDir(state_dir);
  const found = new Map<Lsn, Archived>();
  for (const name of attempt(() => readdirSync(dir), []).sort()) {
    const [, digits] = /^ledger-([0-9a-f]{12})\.jsonl(?:\.gz)?$/.exec(name) ?? [];
    const stat = lstatSync(`${dir}/${name}`, { throwIfNoEntry: false });
    if (digits === undefined || stat?.isFile() !== true) continue;
    const base = parseInt(digits, 16);
    const { names = [], bytes = 0 } = found.get(base) ?? {};
    found.set(base, { base, names: [...names, name], bytes: bytes + stat.size, mtime_ms: stat.mtimeMs });
  }
  return [...found.values()].sort((a, b) => a.base - b.base);
}

export interface ArchiveSize {
  readonly segments: number;
  readonly bytes: number;
  /** Null if the archive is empty. */
  readonly first: Lsn | null;
}

export function archiveSize(state_dir: string): ArchiveSize {
  const all = archivedIn(state_dir);
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  return { segments: all.length, bytes, first: all[0]?.base ?? null };
}

/** A segment is 8 MiB plus at most one commit. */
const UNZIPPED_BYTES_MAX = 1 << 28;

/** The uncompressed bytes of a segment. @throws what opening or decompressing it throws */
export function archivedBytes(state_dir: string, name: string): Buffer {
  const { fd, size } = openFile(archiveDir(state_dir), name, constants.O_RDONLY);
  try {
    const bytes = readAt(fd, 0, 0, size);
    if (!name.endsWith(ZIPPED)) return bytes;
    const zlib = process.getBuiltinModule('node:zlib');
    return zlib.gunzipSync(bytes, { maxOutputLength: UNZIPPED_BYTES_MAX });
  } finally {
    close(fd);
  }
}

export function* scanArchive(state_dir: string): Generator<LedgerRecord, void> {
  for (const { base } of archivedIn(state_dir)) {
    const name = segmentName(base);
    const read = (one: string): Buffer | null => attempt(() => archivedBytes(state_dir, one), null);
    // Another process may be compressing it at this moment.
    const bytes = read(name) ?? read(name + ZIPPED);
    if (bytes !== null) yield* recordsIn(bytes, base);
  }
}

/** Stops at the first line that is not the expected record. */
function* recordsIn(bytes: Buffer, base: Lsn): Generator<LedgerRecord, void> {
  const sum = sumFor(bytes.length);
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    const record = decodeRecord(bytes, start, end, sum);
    if (typeof record === 'string' || record.lsn !== base + start) return;
    yield record;
  }
}
