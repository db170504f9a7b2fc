/**
 * Reads from a time, or from an lsn that need not be the start of a record, without reading what comes before. A
 * record's line can be found from any byte in it, so the position is found by bisection; what follows is verified as
 * usual (scan.ts).
 */
import { constants, statSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { asFailure } from '../failure.ts';
import { decodeRecord, RECORD_BYTES_MAX } from '../record.ts';
import { close, list, openFile, segmentName } from './files.ts';
import { segmentOf } from './segment-of.ts';
import { type Position, scanFrom } from './scan.ts';
import { readAt } from './walk.ts';

/**
 * Earlier guards stamped a record when its event began, up to a hook's deadline before it was written, so its time may
 * precede the previous record's by that much. If the clock was set back further, the search goes by whole segments.
 */
const BACK_MS = 15_000;
const LOOK_BYTES = 16 * 1024;
/** A range this small is not worth bisecting. */
const NEAR_BYTES = 64 * 1024;

interface Segment {
  readonly fd: number;
  readonly base: Lsn;
  readonly end: Lsn;
}

/** Every record from that time on, and perhaps a few before; or every record at or after that lsn. */
export function* scanSince(
  dir: string,
  from: { readonly wall_ms: number } | { readonly lsn: Lsn },
): Generator<LedgerRecord, void> {
  try {
    const all = { lsn: 0, prev: undefined };
    const find = (): Position => ('lsn' in from ? placeOf(dir, from.lsn) : placeBefore(dir, from.wall_ms));
    // If compaction removed a segment meanwhile, or a line is bad, scan from the start and let that report it.
    for (const record of scanFrom(dir, attempt(find, all)))
      if (!('lsn' in from) || record.lsn >= from.lsn) yield record;
  } catch (error) {
    throw asFailure(error, `read the ledger in ${dir}`, { path: dir });
  }
}

function placeOf(dir: string, lsn: Lsn): Position {
  const base = segmentOf(list(dir).segments, lsn);
  return base === undefined
    ? { lsn, prev: undefined }
    : withSegment(dir, base, (one) => at(one, lsn) ?? start(one));
}

/**
 * The position is in the first segment whose successor begins late enough, or begins before it because the clock was
 * set back, provided that the segment was still being written at that time.
 */
function placeBefore(dir: string, wall_ms: number): Position {
  const { segments } = list(dir);
  const isBefore = ({ ts }: LedgerRecord): boolean => Date.parse(ts) < wall_ms - BACK_MS;
  const starts = segments.map((base) => withSegment(dir, base, (one) => recordFrom(one, base)));
  const isLate = (at: number): boolean => {
    const [one, next] = [starts[at], starts[at + 1]];
    if (one === undefined || next === undefined || !isBefore(next)) return true;
    const isBack = Date.parse(next.ts) < Date.parse(one.ts) - BACK_MS;
    return isBack && statSync(`${dir}/${segmentName(one.lsn)}`).mtimeMs >= wall_ms - BACK_MS;
  };
  const base = segments.find((_, at) => isLate(at));
  if (base === undefined) return { lsn: 0, prev: undefined };
  return withSegment(dir, base, (segment) => {
    let [low, high] = [segment.base, segment.end];
    while (high - low > NEAR_BYTES) {
      const middle = Math.floor((low + high) / 2);
      const record = recordFrom(segment, middle);
      if (record !== undefined && record.lsn < high && isBefore(record)) low = record.lsn;
      else high = middle;
    }
    return at(segment, low) ?? start(segment);
  });
}

const start = ({ base }: Segment): Position => ({ lsn: base, prev: undefined });

function at(segment: Segment, lsn: Lsn): Position | undefined {
  const record = recordFrom(segment, lsn);
  return record && { lsn: record.lsn, prev: Number(`0x${record.prev}`) };
}

function withSegment<T>(dir: string, base: Lsn, use: (segment: Segment) => T): T {
  const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
  try {
    return use({ fd, base, end: base + size });
  } finally {
    close(fd);
  }
}

/** The first complete record that begins at `from` or later; undefined if there is none or it is bad. */
function recordFrom({ fd, base, end }: Segment, from: Lsn): LedgerRecord | undefined {
  const begin = Math.max(base, from - 1);
  for (let length = LOOK_BYTES; length <= 4 * RECORD_BYTES_MAX; length *= 4) {
    const bytes = readAt(fd, base, begin, Math.min(length, end - begin));
    const before = from <= base ? -1 : bytes.indexOf(10);
    const stop = from > base && before < 0 ? -1 : bytes.indexOf(10, before + 1);
    if (stop >= 0) {
      const record = decodeRecord(bytes, before + 1, stop);
      return typeof record !== 'string' && record.lsn === begin + before + 1 ? record : undefined;
    }
    if (begin + bytes.length >= end) return undefined;
  }
  return undefined;
}
