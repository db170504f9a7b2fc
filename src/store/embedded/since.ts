/**
 * Reads the records since a remembered position, without the lock and without knowing the checksum of the record before
 * it. For caches that can be discarded: anything that does not fit ends the read, and the cache is rebuilt.
 */
import { constants } from 'node:fs';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { crc32 } from '../crc32.ts';
import { type Damage, decodeRecord, type Sum } from '../record.ts';
import { close, list, openFile, segmentName } from './files.ts';
import { segmentOf } from './segment-of.ts';
import { type Linked, type WalkEnd, walkRecords } from './walk.ts';

interface Whole extends Linked {
  readonly record: LedgerRecord;
}

function readWhole(bytes: Buffer, start: number, end: number, sum: Sum): Whole | Damage {
  const record = decodeRecord(bytes, start, end, sum);
  if (typeof record === 'string') return record;
  const { lsn, prev, crc } = record;
  return { record, lsn, prev: Number(`0x${prev}`), crc: Number(`0x${crc}`) };
}

/**
 * The records of complete commits from `from` on, and where the next one will begin. Null if the position is not in the
 * ledger, if something there is not valid, or if there are more than `max_bytes`.
 */
export function recordsSince(
  dir: string,
  from: Lsn,
  max_bytes: number,
): { readonly records: readonly LedgerRecord[]; readonly next: Lsn } | null {
  const records: LedgerRecord[] = [];
  const { segments } = list(dir);
  for (let next = from; ;) {
    const base = segmentOf(segments, next);
    if (base === undefined) return null;
    const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
    try {
      if (next > base + size || base + size - from > max_bytes) return null;
      const end = whole(
        walkRecords({ fd, read: readWhole, base, from: next, end: base + size, prev: undefined, sum: crc32 }),
        records,
      );
      if (end.next !== null) next = end.next;
      const isLast = segments.at(-1) === base;
      if (isLast) return end.damage === undefined || end.damage === 'unfinished' ? { records, next } : null;
      if (end.damage !== undefined || !segments.includes(next)) return null;
    } finally {
      close(fd);
    }
  }
}

function whole(
  walker: Generator<{ readonly record: Whole; readonly next: Lsn }, WalkEnd>,
  records: LedgerRecord[],
): { readonly next: Lsn | null; readonly damage: Damage | undefined } {
  let commit: LedgerRecord[] = [];
  let next: Lsn | null = null;
  for (;;) {
    const step = walker.next();
    if (step.done === true) return { next, damage: step.value.damage };
    const { record } = step.value.record;
    commit.push(record);
    if (record['more'] !== undefined) continue;
    next = step.value.next;
    records.push(...commit);
    commit = [];
  }
}
