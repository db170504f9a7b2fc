/**
 * Takes over a copied or restored ledger as the ledger of this place (home.ts). History and states are kept, the states
 * that the caller names are voided, and lsns continue far beyond any that the original may have given out (leap.ts).
 * Nothing takes effect before the last step, writing `home`: an adoption killed anywhere leaves a copy that is still
 * refused, and the next run adopts it.
 */
import { constants, fdatasyncSync, renameSync, writeSync } from 'node:fs';
import { GuardError, isGuardError } from '../../core/error.ts';
import type { Json, Key, Lsn, RecordBody } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { asFailure } from '../failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import { COPIED_TYPE, encodeRecord } from '../record.ts';
import { SEGMENT_BYTES } from './append.ts';
import { attach } from './attach.ts';
import { removeCheckpoints } from './checkpoint.ts';
import { checkDir, close, INDEX, list, openFile, removeFile, segmentName, syncDir } from './files.ts';
import { homeOnRecord, NOWHERE, writeHome } from './home.ts';
import { checkpointsAndIndexEnd } from './known-end.ts';
import { closeFiles, type LedgerFiles } from './ledger.ts';
import { type Held, LOCK_DEADLINE_MS, lockSync } from './lock.ts';
import { range } from './range.ts';
import { dropUnbegun } from './unbegun.ts';
import { useLedger } from './use.ts';

export interface AdoptOptions {
  readonly now: () => Now;
  readonly durability?: 'process' | 'fsync';
  readonly lock_deadline_ms?: number;
  /** The state to replace this one with: `null` removes the key, `undefined` leaves it unchanged. */
  readonly voids: (key: Key, state: Json) => Json | undefined;
  /** Where earlier adoptions in this place began, stored outside anything that a backup restores. */
  readonly leaps: Leaps;
  /** Leap even if this is not a copy, because tokens for what it describes were given out elsewhere. */
  readonly is_own?: boolean;
}

export interface Leaps {
  /** 0 if there has been none. */
  highest(): Lsn;
  /** Must be stored before any token beyond it is given out. */
  reserve(lsn: Lsn): void;
}

export interface Adopted {
  /** The copied records end at `after`; the next ones begin at `first`. */
  readonly after: Lsn;
  readonly first: Lsn;
  /** Number of states that were changed or removed. */
  readonly voided: number;
}

/** Room for the records written in a place between two adoptions, for when the clock does not help: 1 GiB. */
const LEAP = 2 ** 30;
/** Lsns per millisecond: more than any ledger grows, so the clock alone separates two lives of one backup. */
const LSNS_PER_MS = 32;
/** Segment names and index slots have room for 48 bits; a wrong clock may use up half of that range. */
const LSN_MAX = 2 ** 48;

/** Where lsns continue: above the copy, above every earlier leap in this place, and above the clock. */
export function leapFrom(behind: Lsn, highest: Lsn, wall_ms: number): Lsn {
  const byClock = Math.max(0, Math.min(Math.floor(wall_ms) * LSNS_PER_MS, LSN_MAX / 2));
  const target = Math.max(Math.ceil((Math.max(behind, highest) + 1) / LEAP) * LEAP + 1, byClock);
  if (target + LEAP < LSN_MAX) return target;
  throw new GuardError(
    'GUARD_ERR_FULL',
    'The ledger has been adopted so often that it has run out of record numbers.',
    'Move the state directory away, then run guard init to begin a new ledger.',
    { lsn: target },
  );
}

const KEYS_PER_RECORD = 256;

/** The records of the adoption, written as one commit so that either all of them count or none. */
function bodiesOf(
  ledger: LedgerFiles,
  { now, voids }: AdoptOptions,
  facts: Record<string, Json>,
): RecordBody[] {
  const ended: [Key, Json][] = range(ledger, { below: '', since: 0 }).entries.flatMap(([key, state]) => {
    const next = voids(key, state);
    return next === undefined ? [] : [[key, next] as [Key, Json]];
  });
  const frame = { type: COPIED_TYPE, agent: 'guard', ts_ms: now().wall_ms };
  const bodies: RecordBody[] = [{ ...frame, ...facts, voided: ended.length, s: {} }];
  for (let at = 0; at < ended.length; at += KEYS_PER_RECORD)
    bodies.push({ ...frame, s: Object.fromEntries(ended.slice(at, at + KEYS_PER_RECORD)) });
  return bodies;
}

const SCRATCH = 'copied.tmp';

/** Writes the segment in which the ledger continues. It is complete and on disk before it gets its name. */
function writeSegment(dir: string, bodies: readonly RecordBody[], first: Lsn, tip: number): void {
  let lsn = first;
  let prev = tip;
  const lines = bodies.map((body, at) => {
    const { bytes, crc } = encodeRecord(body, { lsn, prev, more: bodies.length - 1 - at });
    lsn += bytes.length;
    prev = crc;
    return bytes;
  });
  removeFile(`${dir}/${SCRATCH}`);
  const { fd } = openFile(dir, SCRATCH, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
  try {
    const all = Buffer.concat(lines);
    if (writeSync(fd, all) !== all.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    fdatasyncSync(fd);
  } finally {
    close(fd);
  }
}

interface Adoption {
  readonly dir: string;
  readonly options: AdoptOptions;
  readonly held: Held;
  readonly durable: boolean;
}

/** Reads states and end from the records only, because the index is the original's. Also cuts off a torn end. */
function leap(adoption: Adoption): Adopted {
  const { dir, options, held, durable } = adoption;
  const { now, leaps } = options;
  const from = homeOnRecord(dir);
  const remembered = checkpointsAndIndexEnd(dir);
  // From here on the index can no longer serve as evidence.
  if (from === undefined) writeHome(dir, NOWHERE, durable);
  const place = { dir, writable: true, durable, segment_bytes: SEGMENT_BYTES, now: now() };
  const dropped = dropUnbegun(dir);
  const ledger = attach({ ...place, home: held.home, adopts: true }, 'ledger');
  try {
    const { applied: after, tip } = ledger.header;
    const first = leapFrom(Math.max(after, remembered), leaps.highest(), now().wall_ms);
    const { ino, birth_ms } = held.home;
    const facts = { after, remembered, dropped, from: from ? { ...from } : null, home: { ino, birth_ms } };
    const bodies = bodiesOf(ledger, options, facts);
    writeSegment(dir, bodies, first, tip);
    leaps.reserve(first);
    const voided = bodies.reduce((sum, { s }) => sum + Object.keys(s).length, 0);
    return { after, first, voided };
  } finally {
    closeFiles(ledger);
  }
}

function adopt(adoption: Adoption): Adopted {
  const { dir, held, durable, options } = adoption;
  const adopted = leap(adoption);
  renameSync(`${dir}/${SCRATCH}`, `${dir}/${segmentName(adopted.first)}`);
  removeFile(`${dir}/${INDEX}`);
  removeCheckpoints(dir, () => true);
  syncDir(dir);
  writeHome(dir, held.home, true);
  syncDir(dir);
  const place = { dir, now: options.now, durable, segment_bytes: SEGMENT_BYTES };
  useLedger(place, held, true, () => undefined);
  return adopted;
}

/** Other damage is not this module's concern: the next use of the ledger reports it. */
function isCopied(dir: string, { now, is_own = false }: AdoptOptions, held: Held): boolean {
  try {
    useLedger({ dir, now, durable: false, segment_bytes: SEGMENT_BYTES }, held, false, () => undefined);
    return is_own;
  } catch (error) {
    return isGuardError(error) && error.code === 'GUARD_ERR_COPIED';
  }
}

/** Runs `act` under the lock if `dir` holds a copy that has not been adopted; otherwise returns undefined. */
function whereCopied<T>(dir: string, options: AdoptOptions, act: (held: Held) => T): T | undefined {
  checkDir(dir);
  if (list(dir).segments.length === 0) return undefined;
  const { now, lock_deadline_ms: deadline_ms = LOCK_DEADLINE_MS } = options;
  const mono_ms = (): number => now().mono_ms;
  const held = lockSync({ dir, flock: chooseFlock(), deadline_ms, writable: true, mono_ms });
  try {
    return isCopied(dir, options, held) ? act(held) : undefined;
  } finally {
    held.free();
  }
}

/**
 * Adopts the ledger in `dir` if it is a copy, otherwise returns undefined. Only for a person: it ends all locks.
 * Throws GUARD_ERR_CORRUPT for a copy damaged in its middle (repair it first), otherwise what a transaction throws.
 */
export function adoptCopy(dir: string, options: AdoptOptions): Adopted | undefined {
  const durable = options.durability === 'fsync';
  try {
    return whereCopied(dir, options, (held) => adopt({ dir, options, held, durable }));
  } catch (error) {
    throw asFailure(error, `adopt the ledger in ${dir}`, { path: dir });
  }
}

/** Whether `adoptCopy` would do anything. Throws the errors of checking a state directory. */
export const isCopy = (dir: string, options: AdoptOptions): boolean =>
  whereCopied(dir, options, () => true) === true;
