/**
 * Brings the index up to the ledger: applies every record from `header.applied` on. The same path redoes
 * what a killed process left behind (a few records), recovers from a checkpoint (one segment) and rebuilds
 * everything. In the long cases it writes what it has every so often, so that a process which runs out of
 * time leaves the next one less to do.
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

/** Ledger that is read before the index is written: some 1 s of work, and 100 MB of memory at the very most. */
const FLUSH_BYTES = 128 * 1024 * 1024;

/** The ledger's end where it is not whole: `lsn` is where its last whole commit ends. */
export interface BadTail {
  readonly lsn: Lsn;
  /** Where the first line that is no record begins; behind `lsn` when a commit of several records was cut. */
  readonly damaged: Lsn;
  readonly damage: Damage;
}

/** What was read and is not in the index yet. */
interface Batch {
  /** Newest lsn of every key; below zero where that record removed it. */
  readonly keys: Map<Key, number>;
  /** Of every id that a caller gave, below `agent NUL id`. */
  readonly ids: Map<string, Lsn>;
  /** Where it began. */
  from: Lsn;
}

/** Keys that this very run has put into the index: for them no record need be read to know the key again. */
type Known = Map<Key, Lsn>;

function collect({ keys, ids }: Batch, { lsn, live, removed, id }: Skimmed): void {
  for (const key of live) keys.set(key, lsn);
  for (const key of removed) keys.set(key, -lsn);
  if (id !== undefined) ids.set(id.join('\0'), lsn);
}

/** As `carries`, without making a record of it: recovery asks this once for every key that it meets. */
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

/** Takes note of what a record says about the ledger itself. */
function note({ header }: LedgerFiles, { v, lsn, first }: Skimmed): void {
  checkVersion(v, { lsn });
  header.version = Math.max(header.version, v);
  if (first === undefined) return;
  header.dropped = Math.max(header.dropped, first);
  header.compacted = lsn;
}

/** What the next record's `prev` must be; what came before the oldest segment cannot be known. */
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

/** Collects one segment from `header.applied` on. Returns what is wrong at its end, if anything. */
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

/** Older segments may be gone only where the ledger says so itself. */
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

/** Applies everything. Returns the ledger's bad tail where it has one; a bad line anywhere else throws GUARD_ERR_CORRUPT. */
export function catchUp(ledger: LedgerFiles): BadTail | undefined {
  const { header } = ledger;
  const known: Known = new Map();
  const batch: Batch = { keys: new Map(), ids: new Map(), from: header.applied };
  for (;;) {
    // Known before the first write, so that the next process can go on where this one was killed.
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
    // Behind a leap it is not where the one before ended; that the hole is named was seen before (segments.ts).
    header.applied = following;
    header.base = following;
  }
}
