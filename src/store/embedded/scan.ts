// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Reads the ledger in order, in constant memory and without the lock. Records are only ever appended, never changed,
 * so all a reader has to handle is the end: a line or commit that is still being written. It stops before that.
 */
import { constants } from 'node:fs';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { asFailure, knownErrno } from '../failure.ts';
import { checkVersion, type Damage, decodeRecord, FIRST_LSN } from '../record.ts';
import { close, list, openFile, segmentName } from './files.ts';
import { isForeignBehind } from './foreign.ts';
import { followsAt } from './leap.ts';
import { segmentOf } from './segment-of.ts';
import { damagedAt } from './segments.ts';
import { type Linked, type ReadLine, sumFor, type WalkEnd, walkRecords } from './walk.ts';

/** The position of a scan: everything before `lsn` has been yielded. */
export interface Position {
  lsn: Lsn;
  prev: number | undefined;
}

interface Whole extends Linked {
  readonly record: LedgerRecord;
}

const readWhole: ReadLine<Whole> = (bytes, start, end, sum): Whole | Damage => {
  const record = decodeRecord(bytes, start, end, sum);
  if (typeof record === 'string') return record;
  const { lsn, prev, crc } = record;
  return { record, lsn, prev: Number(`0x${prev}`), crc: Number(`0x${crc}`) };
};

/** Yields the complete commits of one segment from the position on, and advances the position. */
function* scanSegment(dir: string, base: Lsn, position: Position): Generator<LedgerRecord, WalkEnd> {
  const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
  try {
    const end = base + size;
    const from = Math.max(position.lsn, base);
    const walker = walkRecords({
      fd,
      read: readWhole,
      base,
      from: position.prev === undefined ? base : from,
      end,
      prev: position.prev,
      sum: sumFor(end - from),
    });
    let commit: LedgerRecord[] = [];
    for (;;) {
      const step = walker.next();
      if (step.done === true) return step.value;
      const { next } = step.value;
      const { record, crc } = step.value.record;
      checkVersion(record.v, { lsn: record.lsn });
      if (record.lsn >= from) commit.push(record);
      if (record['more'] !== undefined) continue;
      position.lsn = Math.max(position.lsn, next);
      position.prev = crc;
      yield* commit;
      commit = [];
    }
  } finally {
    close(fd);
  }
}

const isBadLine = ({ damage }: WalkEnd): boolean => damage !== undefined && damage !== 'unfinished';

/** The segment to read next. If compaction removed the one at the position, the scan continues with the oldest left. */
function nextSegment(dir: string, position: Position): Lsn | undefined {
  const { segments } = list(dir);
  const base = segmentOf(segments, position.lsn);
  if (base !== undefined || segments[0] === undefined) return base;
  position.lsn = segments[0];
  position.prev = undefined;
  return segments[0];
}

/** Skips the gap after an adopted copy, if the ledger declares it. */
function leap(dir: string, position: Position, base: Lsn): boolean {
  const following = list(dir).segments.find((one) => one > base);
  if (following === undefined || followsAt(dir, following) > position.lsn) return false;
  position.lsn = following;
  return true;
}

/**
 * Yields every complete record from the position up to the end that the ledger has by then, and advances the position.
 * A bad line is read twice, because a torn tail that was cut and overwritten between two reads looks like one.
 */
export function* scanFrom(dir: string, position: Position): Generator<LedgerRecord, void> {
  for (let stuckAt: Lsn | undefined; ;) {
    const base = nextSegment(dir, position);
    if (base === undefined) return;
    const before = position.lsn;
    const end = yield* scanUnlessGone(dir, base, position);
    const isLast = list(dir).segments.at(-1) === base;
    if (end === undefined || segmentOf(list(dir).segments, position.lsn) !== base) continue;
    if (isLast && (!isBadLine(end) || isForeignBehind(dir, base, position.lsn))) return;
    if (end.damage === undefined && leap(dir, position, base)) continue;
    if (position.lsn > before) continue;
    if (stuckAt === position.lsn) throw damagedAt(base, end);
    stuckAt = position.lsn;
  }
}

/** Returns undefined if compaction removed the segment before it was opened. */
function* scanUnlessGone(
  dir: string,
  base: Lsn,
  position: Position,
): Generator<LedgerRecord, WalkEnd | undefined> {
  try {
    return yield* scanSegment(dir, base, position);
  } catch (error) {
    if (knownErrno(error) !== 'ENOENT' || list(dir).segments.includes(base)) throw error;
    return undefined;
  }
}

/** Every complete record at or after `from`. */
export function* scanLedger(dir: string, from: Lsn = FIRST_LSN): Generator<LedgerRecord, void> {
  try {
    yield* scanFrom(dir, { lsn: from, prev: undefined });
  } catch (error) {
    throw asFailure(error, `read the ledger in ${dir}`, { path: dir });
  }
}
