/**
 * What compaction put aside: older records, for people who look back. As segments were, or compressed (archive-tend.ts); of a
 * segment that is there as both, the one that was. One that is missing or damaged is passed over.
 */
import { constants, lstatSync, readdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { decodeRecord } from '../record.ts';
import { close, openFile, segmentName } from './files.ts';
import { readAt, sumFor } from './walk.ts';

export const ZIPPED = '.gz';

/** Of one segment. */
export interface Archived {
  readonly base: Lsn;
  /** As it was first, then compressed. */
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
  /** Null where there is nothing. */
  readonly first: Lsn | null;
}

export function archiveSize(state_dir: string): ArchiveSize {
  const all = archivedIn(state_dir);
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  return { segments: all.length, bytes, first: all[0]?.base ?? null };
}

/** A segment has 8 MiB and one commit. */
const UNZIPPED_BYTES_MAX = 1 << 28;

/** The bytes of a segment as it was. @throws what opening it, or undoing the compression, throws */
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
    // It may be compressed at this moment.
    const bytes = read(name) ?? read(name + ZIPPED);
    if (bytes !== null) yield* recordsIn(bytes, base);
  }
}

/** To the first that is not what it should be. */
function* recordsIn(bytes: Buffer, base: Lsn): Generator<LedgerRecord, void> {
  const sum = sumFor(bytes.length);
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    const record = decodeRecord(bytes, start, end, sum);
    if (typeof record === 'string' || record.lsn !== base + start) return;
    yield record;
  }
}
