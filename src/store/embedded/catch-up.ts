/**
 * Brings the index up to the ledger: applies every record from `header.applied` on. The same path redoes
 * what a killed process left behind (a few records), recovers from a checkpoint (one segment) and rebuilds
 * everything. In the long cases it writes what it has every so often, so that a process which runs out of
 * time leaves the next one less to do.
 */
import type { Key, Lsn } from '../../core/ledger.ts';
import { corrupt } from '../failure.ts';
import { fingerprint, idFingerprint } from '../fingerprint.ts';
import { checkVersion, COMPACT_TYPE, FIRST_LSN, isExplicitId } from '../record.ts';
import type { Damage } from '../record.ts';
import { segmentName } from './files.ts';
import { carries, carriesId, flushIndex, segmentFile } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { damagedAt } from './segments.ts';
import { grow, removeSlot, setSlot } from './table.ts';
import { sumFor, walk } from './walk.ts';
import type { Walked, WalkEnd } from './walk.ts';

/** Keys that are collected before the index is written: some 50 ms of work, 20 MB of memory. */
const KEYS_PER_FLUSH = 16_384;

/** The ledger's end where it is not whole: `lsn` is where its last whole commit ends. */
export interface BadTail {
  readonly lsn: Lsn;
  /** Where the first line that is no record begins; behind `lsn` when a commit of several records was cut. */
  readonly damaged: Lsn;
  readonly damage: Damage;
}

interface Newest {
  readonly lsn: Lsn;
  readonly removed: boolean;
}

/** What was read and is not in the index yet. */
interface Batch {
  readonly keys: Map<Key, Newest>;
  readonly ids: Map<string, readonly [agent: string, id: string, lsn: Lsn]>;
}

/** Keys that this very run has put into the index: for them no record need be read to know the key again. */
type Known = Map<Key, Lsn>;

function collect(batch: Batch, { record, lsn }: Walked): void {
  for (const key of Object.keys(record.s)) batch.keys.set(key, { lsn, removed: record.s[key] === null });
  if (isExplicitId(record.id)) batch.ids.set(`${record.agent}\0${record.id}`, [record.agent, record.id, lsn]);
}

function apply(ledger: Ledger, { keys, ids }: Batch, known: Known): void {
  const { pages, header } = ledger;
  for (const [key, { lsn, removed }] of keys) {
    const before = known.get(key);
    const reads = carries(ledger, key);
    const isIt = (at: Lsn): boolean => at === before || reads(at);
    if (removed) removeSlot(pages, header.shape, fingerprint(key), isIt);
    else setSlot(pages, header.shape, fingerprint(key), lsn, isIt);
    known.set(key, lsn);
    if (!removed) grow(pages, header.shape, header.first);
  }
  for (const [agent, id, lsn] of ids.values()) {
    setSlot(pages, header.shape, idFingerprint(agent, id), lsn, carriesId(ledger, agent, id));
    grow(pages, header.shape, header.first);
  }
  ledger.records.clear();
}

/** Takes note of what a record says about the ledger itself. */
function note(ledger: Ledger, { record, lsn }: Walked): void {
  checkVersion(record.v, { lsn });
  ledger.header.version = Math.max(ledger.header.version, record.v);
  const { type, first } = record;
  if (type !== COMPACT_TYPE || typeof first !== 'number') return;
  ledger.header.dropped = Math.max(ledger.header.dropped, first);
  ledger.header.compacted = lsn;
}

/** What the next record's `prev` must be; what came before the oldest segment cannot be known. */
function prevOf({ header, segments }: Ledger): number | undefined {
  return header.applied === segments[0] && header.applied !== FIRST_LSN ? undefined : header.tip;
}

/** Applies one segment from `header.applied` on. Returns what is wrong at its end, if anything. */
function applySegment(ledger: Ledger, known: Known): BadTail | undefined {
  const { header } = ledger;
  const { fd, size } = segmentFile(ledger, header.base);
  const end = header.base + size;
  const walker = walk({
    fd,
    base: header.base,
    from: header.applied,
    end,
    prev: prevOf(ledger),
    sum: sumFor(end - header.applied),
  });
  const batch: Batch = { keys: new Map(), ids: new Map() };
  let commit: Walked[] = [];
  const settle = (): void => {
    apply(ledger, batch, known);
    batch.keys.clear();
    batch.ids.clear();
  };
  for (;;) {
    const step = walker.next();
    if (step.done === true) {
      settle();
      return badTail(header.applied, step.value, commit.length > 0);
    }
    note(ledger, step.value);
    commit.push(step.value);
    if (step.value.record['more'] !== undefined) continue;
    for (const walked of commit) collect(batch, walked);
    commit = [];
    header.applied = step.value.next;
    header.tip = step.value.crc;
    if (batch.keys.size + batch.ids.size < KEYS_PER_FLUSH) continue;
    settle();
    flushIndex(ledger);
  }
}

function badTail(applied: Lsn, end: WalkEnd, openCommit: boolean): BadTail | undefined {
  if (end.damage === undefined && !openCommit) return undefined;
  return { lsn: applied, damaged: end.lsn, damage: end.damage ?? 'batch' };
}

/** Older segments may be gone only where the ledger says so itself. */
function settleFirst(ledger: Ledger): void {
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
export function catchUp(ledger: Ledger): BadTail | undefined {
  const { header } = ledger;
  const known: Known = new Map();
  for (;;) {
    // Known before the first write, so that the next process can go on where this one was killed.
    header.ino = segmentFile(ledger, header.base).ino;
    const tail = applySegment(ledger, known);
    const following = ledger.segments[ledger.segments.indexOf(header.base) + 1];
    if (tail !== undefined && following !== undefined)
      throw damagedAt(header.base, { lsn: tail.damaged, damage: tail.damage });
    if (following === undefined) {
      settleFirst(ledger);
      return tail;
    }
    header.base = following;
  }
}
