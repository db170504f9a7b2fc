/**
 * Walks a segment that may be damaged anywhere: reports each bad line and continues after it. For reports and
 * repairs; everything else uses `walk`, which stops at the first one.
 */
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import type { Damage, Sum } from '../record.ts';
import { readAt } from './walk.ts';

const CHUNK_BYTES = 1024 * 1024;

/** What an inspection itself needs of a record. */
export interface Chained<C> {
  readonly lsn: Lsn;
  readonly prev: C;
  readonly crc: C;
  readonly more?: unknown;
}

/** A line as it is in the file. `record` is undefined if the line is not a record. */
export interface Inspected<T = LedgerRecord> {
  readonly lsn: Lsn;
  readonly bytes: number;
  readonly record: T | undefined;
  readonly damage: Damage | undefined;
  /** The lsn that the record itself claims, if it differs from its position. */
  readonly claims: Lsn | undefined;
}

interface Range {
  readonly fd: number;
  readonly base: Lsn;
  readonly end: Lsn;
}

interface InspectFrom<C> extends Range {
  /** crc of the last record before the segment; undefined if unknown. */
  readonly prev: C | undefined;
  readonly sum: Sum;
}

/** Like `decodeRecord`. */
type ReadRecord<T> = (bytes: Buffer, start: number, end: number, sum: Sum) => T | Damage;

interface Line {
  readonly lsn: Lsn;
  readonly chunk: Buffer;
  readonly start: number;
  readonly stop: number;
  readonly whole: boolean;
}

/** The lines of a file range, without the newline; the last one may lack it. */
function* lines({ fd, base, end }: Range): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let lsn = base;
  for (let at = base; at < end;) {
    const read = readAt(fd, base, at, Math.min(CHUNK_BYTES, end - at));
    if (read.length === 0) break;
    at += read.length;
    const chunk = rest.length === 0 ? read : Buffer.concat([rest, read]);
    let start = 0;
    for (let stop = chunk.indexOf(10); stop >= 0; stop = chunk.indexOf(10, start)) {
      yield { lsn, chunk, start, stop, whole: true };
      lsn += stop + 1 - start;
      start = stop + 1;
    }
    rest = chunk.subarray(start);
  }
  if (rest.length > 0) yield { lsn, chunk: rest, start: 0, stop: rest.length, whole: false };
}

export function* inspectSegment<C, T extends Chained<C>>(
  from: InspectFrom<C>,
  read: ReadRecord<T>,
): Generator<Inspected<T>, C | undefined> {
  let { prev } = from;
  let shift = 0;
  let more = 0;
  for (const { lsn, chunk, start, stop, whole } of lines(from)) {
    const bytes = stop - start + (whole ? 1 : 0);
    const record = whole ? read(chunk, start, stop, from.sum) : 'unfinished';
    if (typeof record === 'string') {
      yield { lsn, bytes, record: undefined, damage: record, claims: undefined };
      prev = undefined;
      more = 0;
      continue;
    }
    const moved = record.lsn - lsn;
    const damage = place(record, { moved, shift, prev, more });
    yield { lsn, bytes, record, damage, claims: moved === 0 ? undefined : record.lsn };
    shift = moved;
    prev = record.crc;
    more = typeof record.more === 'number' ? record.more : 0;
  }
  return prev;
}

/** Reports a line that is intact but misplaced. Of several lines moved together, only the first is reported. */
function place<C>(
  record: Chained<C>,
  expected: {
    readonly moved: number;
    readonly shift: number;
    readonly prev: C | undefined;
    readonly more: number;
  },
): Damage | undefined {
  if (expected.moved !== 0 && expected.moved !== expected.shift) return 'lsn';
  if (expected.prev !== undefined && record.prev !== expected.prev) return 'prev';
  const more = typeof record.more === 'number' ? record.more : 0;
  return expected.more > 0 && more !== expected.more - 1 ? 'batch' : undefined;
}
