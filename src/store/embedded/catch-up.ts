/**
 * Brings the index up to date with the ledger by applying every record from `header.applied` on. The same code
 * redoes what a killed process left behind (a few records), recovers from a checkpoint (one segment) and rebuilds
 * everything. The long cases flush the index at intervals, so that a process that runs out of time leaves less
 * work for the next one.
 */
import type { Key, Lsn } from '../../core/ledger.ts';
import { corrupt } from '../told-failure.ts';
import { fingerprint, idFingerprint } from '../fingerprint.ts';
import { checkVersion, type Damage, FIRST_LSN } from '../record.ts';
import { segmentName } from './files.ts';
import { filePrint } from './header.ts';
import { carriesId, flushIndex, type LedgerFiles, lineAt, notThere, segmentFile } from './ledger.ts';
import { damagedAt } from './segments.ts';
import { type Skimmed, skimRecord } from './scan-header.ts';
import { grow, removeSlot, setSlot } from './table.ts';
import { sumFor, type WalkEnd, walkRecords } from './walk.ts';

/** Bytes of ledger read between index writes: about 1 s of work and at most 100 MB of memory. */
const FLUSH_BYTES = 128 * 1024 * 1024;

/** An incomplete end of the ledger. `lsn` is where the last complete commit ends. */
export interface BadTail {
  readonly lsn: Lsn;
  /** Start of the first line that is not a record; greater than `lsn` if a commit of several records was cut. */
  readonly damaged: Lsn;
  readonly damage: Damage;
}

/** What has been read but is not in the index yet. */
interface Batch {
  /** Newest lsn of each key; negative if that record removed it. */
  readonly keys: Map<Key, number>;
  /** Lsn of each id that a caller gave, by `agent NUL id`. */
  readonly ids: Map<string, Lsn>;
  /** Lsn at which the batch begins. */
  from: Lsn;
}

/** Keys that this run has put into the index itself, so no record has to be read to recognise them. */
type Known = Map<Key, Lsn>;

function collect({ keys, ids }: Batch, { lsn, live, removed, id }: Skimmed): void {
  for (const key of live) keys.set(key, lsn);
  for (const key of removed) keys.set(key, -lsn);
  if (id !== undefined) ids.set(id.join('\0'), lsn);
}

/** Like `carries`, but without decoding a record: recovery asks this once for every key it meets. */
function carriesKey(ledger: LedgerFiles, key: Key, lsn: Lsn): boolean {
  if (lsn < ledger.header.first) return false;
  const line = lineAt(ledger, lsn);
  const record = skimRecord(line, 0, line.length);
  if (typeof record === 'string' || record.lsn !== lsn) throw notThere(lsn);
  checkVersion(record.v, { lsn });
  return record.live.includes(key) || record.removed.includes(key);
}

function applyKey(ledger: LedgerFiles, key: Key, lsn: number, before: Lsn | undefined): void {
  const { pages, header } = ledger;
  const isIt = (at: Lsn): boolean => at === before || carriesKey(ledger, key, at);
  if (lsn < 0) removeSlot(pages, header.shape, fingerprint(key), isIt);
  else setSlot(pages, header.shape, fingerprint(key), lsn, isIt);
}

function apply(ledger: LedgerFiles, batch: Batch, known: Known): void {
  const { pages, header } = ledger;
  for (const [key, lsn] of batch.keys) {
    applyKey(ledger, key, lsn, known.get(key));
    known.set(key, Math.abs(lsn));
    grow(pages, header.shape, header.first);
  }
  for (const [both, lsn] of batch.ids) {
    const [agent = '', id = ''] = both.split('\0');
    setSlot(pages, header.shape, idFingerprint(agent, id), lsn, carriesId(ledger, agent, id));
    grow(pages, header.shape, header.first);
  }
  ledger.records.clear();
  batch.keys.clear();
  batch.ids.clear();
  batch.from = header.applied;
}

/** Notes what a record says about the ledger itself. */
function note({ header }: LedgerFiles, { v, lsn, first }: Skimmed): void {
  checkVersion(v, { lsn });
  header.version = Math.max(header.version, v);
  if (first === undefined) return;
  header.dropped = Math.max(header.dropped, first);
  header.compacted = lsn;
}

/** The expected `prev` of the next record; unknown (undefined) for the first record after a compacted part. */
function prevOf({ header, segments }: LedgerFiles): number | undefined {
  return header.applied === segments[0] && header.applied !== FIRST_LSN ? undefined : header.tip;
}

function walkSegment(
  ledger: LedgerFiles,
): Generator<{ readonly record: Skimmed; readonly next: Lsn }, WalkEnd> {
  const { header } = ledger;
  const { fd, size } = segmentFile(ledger, header.base);
  const end = header.base + size;
  const sum = sumFor(end - header.applied);
  return walkRecords({
    fd,
    read: skimRecord,
    base: header.base,
    from: header.applied,
    end,
    prev: prevOf(ledger),
    sum,
  });
}

/** Collects one segment from `header.applied` on. Returns its bad tail, if any. */
function applySegment(ledger: LedgerFiles, batch: Batch, known: Known): BadTail | undefined {
  const { header } = ledger;
  const walker = walkSegment(ledger);
  let commit: Skimmed[] = [];
  for (;;) {
    const step = walker.next();
    if (step.done === true) return badTail(header.applied, step.value, commit.length > 0);
    const { record, next } = step.value;
    note(ledger, record);
    commit.push(record);
    if (record.more) continue;
    for (const one of commit) collect(batch, one);
    commit = [];
    header.applied = next;
    header.tip = record.crc;
    if (next - batch.from < FLUSH_BYTES) continue;
    apply(ledger, batch, known);
    flushIndex(ledger);
  }
}

function badTail(applied: Lsn, end: WalkEnd, openCommit: boolean): BadTail | undefined {
  if (end.damage === undefined && !openCommit) return undefined;
  return { lsn: applied, damaged: end.lsn, damage: end.damage ?? 'batch' };
}

/** Older segments may be missing only if the ledger itself says so. */
function settleFirst(ledger: LedgerFiles): void {
  const { header } = ledger;
  header.first = Math.max(header.first, header.dropped, FIRST_LSN);
  const lowest = ledger.segments[0];
  if (lowest !== undefined && lowest > Math.max(header.dropped, FIRST_LSN)) {
    throw corrupt(`the segments before ${segmentName(lowest)} are missing`, {
      segment: segmentName(header.first),
      lsn: header.first,
      reason: 'missing_segment',
    });
  }
  ledger.segments = ledger.segments.filter((base) => base >= header.first);
  header.segments = ledger.segments.length;
}

/** Applies everything. Returns the ledger's bad tail, if any; a bad line anywhere else throws GUARD_ERR_CORRUPT. */
export function catchUp(ledger: LedgerFiles): BadTail | undefined {
  const { header } = ledger;
  const known: Known = new Map();
  const batch: Batch = { keys: new Map(), ids: new Map(), from: header.applied };
  for (;;) {
    // Set before the first write, so that the next process can continue if this one is killed.
    header.segment = filePrint(segmentFile(ledger, header.base));
    const tail = applySegment(ledger, batch, known);
    const following = ledger.segments[ledger.segments.indexOf(header.base) + 1];
    if (following === undefined || tail !== undefined) apply(ledger, batch, known);
    if (tail !== undefined && following !== undefined)
      throw damagedAt(header.base, { lsn: tail.damaged, damage: tail.damage });
    if (following === undefined) {
      settleFirst(ledger);
      return tail;
    }
    // After a leap this is not where the previous segment ended; segments.ts has already checked that the gap is declared.
    header.applied = following;
    header.base = following;
  }
}
