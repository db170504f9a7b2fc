/**
 * Handles the ledger's end after a crash. A killed process leaves the beginning of a line (or of a commit of several
 * lines). It was never acknowledged, so it is cut off and saved. A bad line that ends in a newline was once complete:
 * that is damage, and cutting it would lose an acknowledged record. The exception is a line that never was a record
 * (`echo hello >> ledger`): it is cut too if the index says that the last acknowledged record ends before it.
 *
 * After a power cut the file may have runs of NUL where pages were not written. With `durability: "process"` nothing
 * is promised in that case, so everything from the first such place on is cut. With "fsync", or if it is not known
 * whether there was a power cut, it is cut only if no intact record follows.
 */
import { constants, fsyncSync, ftruncateSync, readSync, writeSync, fdatasyncSync } from 'node:fs';
import type { Lsn, RecordBody } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { asFailure, knownErrno } from '../failure.ts';
import { CUT_TYPE, decodeRecord } from '../record.ts';
import type { BadTail } from './catch-up.ts';
import { close, cutName, openFile } from './files.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { damagedAt } from './segments.ts';
import { readAt } from './walk.ts';

export interface TailFacts {
  /** "yes": the index was written in another boot; "maybe": there is no index to tell. */
  readonly powerLoss: 'no' | 'maybe' | 'yes';
  readonly durable: boolean;
  /** Everything before this lsn was acknowledged in this boot. */
  readonly acknowledged: Lsn;
  /** For a copy: how far the original's index went. */
  readonly original: Lsn;
  /** Where acknowledged records end according to the index; undefined if the index cannot tell. */
  readonly end: Lsn | undefined;
}

/** What was cut off, for the record that reports it. */
interface Cut {
  readonly file: string;
  readonly at: Lsn;
  readonly bytes: number;
  /** `shortened`: a copy that ends in the middle of a record which the original had acknowledged. */
  readonly cause: 'torn' | 'power_loss' | 'foreign' | 'shortened';
}

const PAD_MAX = 4 * 1024 * 1024;

/**
 * The records that report a cut. They are padded so that the next lsn lies beyond `lost`: lsns serve as tokens, so
 * one that was given out before a power cut must not be given out again.
 */
export function cutRecords(at: Lsn, lost: Lsn, cut: Cut | undefined, now: Now): RecordBody[] {
  const report = { type: CUT_TYPE, agent: 'guard', ts_ms: now.wall_ms, s: {} };
  const bodies: RecordBody[] = [{ ...report, ...(cut ?? { file: null, at, bytes: 0, cause: 'power_loss' }) }];
  for (let left = lost - at; left > 0; left -= PAD_MAX)
    bodies.push({ ...report, pad: ' '.repeat(Math.min(left, PAD_MAX)) });
  return bodies;
}

/** Whether an intact record lies at its correct position somewhere after the first line of `rest`. */
function hasRecordAfter(rest: Buffer, lsn: Lsn): boolean {
  for (let at = rest.indexOf(10); at >= 0;) {
    const end = rest.indexOf(10, at + 1);
    if (end < 0) return false;
    const record = decodeRecord(rest, at + 1, end);
    if (typeof record !== 'string' && record.lsn === lsn + at + 1) return true;
    at = end;
  }
  return false;
}

/** What every record contains at its beginning and its end. */
const MARKS = [Buffer.from('{"v":'), Buffer.from(',"crc":"'), Buffer.from('"lsn":')];

/**
 * Whether these lines neither are nor were records. A damaged record still has one of its marks, unless all of them
 * were overwritten; runs of NUL come from a power cut.
 */
export const isForeign = (rest: Buffer): boolean =>
  !rest.includes(0) && !MARKS.some((mark) => rest.includes(mark));

function causeOf(rest: Buffer, tail: BadTail, facts: TailFacts): Cut['cause'] | undefined {
  if (tail.lsn < facts.acknowledged) return undefined;
  if (!rest.includes(10)) return tail.lsn < facts.original ? 'shortened' : 'torn';
  if (tail.lsn === facts.end && tail.damaged === tail.lsn && isForeign(rest)) return 'foreign';
  if (facts.powerLoss === 'no' || !rest.includes(0)) return undefined;
  const promised = facts.durable || facts.powerLoss === 'maybe';
  return promised && hasRecordAfter(rest, tail.damaged) ? undefined : 'power_loss';
}

/** Saves the bytes next to the ledger under a name that says where they were. Never overwrites another file. */
export function keepAside(dir: string, at: Lsn, bytes: Buffer, durable: boolean): string {
  for (let copy = 0; ; copy++) {
    const name = copy === 0 ? cutName(at) : `${cutName(at)}-${copy}`;
    try {
      const { fd } = openFile(dir, name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
      try {
        if (writeSync(fd, bytes) !== bytes.length)
          throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        if (durable) fsyncSync(fd);
      } finally {
        close(fd);
      }
      return name;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (knownErrno(cause) !== 'EEXIST')
        throw asFailure(error, `keep the cut tail in ${dir}/${name}`, { path: `${dir}/${name}` });
      if (holds(dir, name, bytes)) return name;
    }
  }
}

function holds(dir: string, name: string, bytes: Buffer): boolean {
  const { fd, size } = openFile(dir, name, constants.O_RDONLY);
  try {
    const there = Buffer.alloc(size);
    readSync(fd, there, 0, size, 0);
    return there.equals(bytes);
  } finally {
    close(fd);
  }
}

/** Cuts a torn tail. Throws GUARD_ERR_CORRUPT if the tail is damaged rather than torn. A reader just ignores the tail. */
export function settleTail(ledger: LedgerFiles, tail: BadTail, facts: TailFacts): Cut | undefined {
  const { header } = ledger;
  const file = segmentFile(ledger, header.base);
  const end = header.base + file.size;
  const rest = readAt(file.fd, header.base, tail.damaged, end - tail.damaged);
  const cause = causeOf(rest, tail, facts);
  if (cause === undefined) throw damagedAt(header.base, { lsn: tail.damaged, damage: tail.damage });
  if (!ledger.writable) return undefined;
  const whole = readAt(file.fd, header.base, tail.lsn, end - tail.lsn);
  const name = keepAside(ledger.dir, tail.lsn, whole, facts.durable);
  try {
    ftruncateSync(file.fd, tail.lsn - header.base);
    if (facts.durable) fdatasyncSync(file.fd);
  } catch (error) {
    throw asFailure(error, 'cut the torn tail of the ledger', { lsn: tail.lsn });
  }
  ledger.files.set(header.base, { ...file, size: tail.lsn - header.base });
  return { file: name, at: tail.lsn, bytes: whole.length, cause };
}
