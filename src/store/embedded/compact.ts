/**
 * Compaction has three steps: states still valid in the oldest segments are rewritten at the end (`ledger.carry`), the
 * ledger records that those segments may be missing (`ledger.compact`), and only then are they moved to `archive/`.
 * Each step is an ordinary short transaction, so no writer waits for longer than one of them. A compaction killed
 * anywhere leaves an intact ledger, and the next run continues.
 *
 * Lsns do not change: earlier tokens stay smaller than every new one. A record id is remembered for as long as its
 * record is in the ledger.
 */
import { fdatasyncSync, renameSync, statSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { blockThread } from '../../repo/block-thread.ts';
import { asFailure } from '../failure.ts';
import { corrupt } from '../told-failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import { COMPACT_TYPE } from '../record.ts';
import { appendNew, type AppendOptions, SEGMENT_BYTES } from './append.ts';
import { archiveDir } from './archive.ts';
import { type Carried, carry, pointedBelow } from './carry.ts';
import type { CompactOptions, CompactReport } from './compact-report.ts';
import { segmentsSince, writeCheckpoint } from './checkpoint.ts';
import { close, checkDir, INDEX, list, makeDir, segmentName, syncDir } from './files.ts';
import { openIndex } from './index-file.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { LOCK_DEADLINE_MS, lockSync } from './lock.ts';
import { type StorePlace, useLedger } from './use.ts';

const KEEP_BYTES = 64 * 1024 * 1024;
/** Upper bound for one transaction: it holds the lock for about 10 ms. */
const SLICE_RECORDS = 256;
/** Pause between two slices, so that others get their turn. */
const BREATH_MS = 5;
const PASSES_MAX = 8;

interface Compaction extends StorePlace {
  readonly options: CompactOptions;
  readonly use: <T>(act: (ledger: LedgerFiles, options: AppendOptions) => T) => T;
}

function begin(dir: string, options: CompactOptions): Compaction {
  checkDir(dir);
  const flock = chooseFlock();
  const { now, lock_deadline_ms: deadline_ms = LOCK_DEADLINE_MS, segment_bytes = SEGMENT_BYTES } = options;
  const place: StorePlace = { dir, now, durable: options.durability === 'fsync', segment_bytes };
  const lock = { dir, flock, deadline_ms, writable: true, mono_ms: () => now().mono_ms };
  const use = <T>(act: (ledger: LedgerFiles, options: AppendOptions) => T): T => {
    const held = lockSync(lock);
    try {
      return useLedger(place, held, true, act);
    } finally {
      held.free();
    }
  };
  return { ...place, options, use };
}

/** The first lsn to keep. The active segment is always kept. */
function chooseFirst(ledger: LedgerFiles, { now, options }: Compaction): Lsn {
  const { keep_bytes = KEEP_BYTES, older_than_ms } = options;
  const newest_ms = now().wall_ms - (older_than_ms ?? 0);
  let first = ledger.header.first;
  let left = bytesOf(ledger.dir, ledger.segments);
  for (const following of ledger.segments.slice(1)) {
    left -= bytesOf(ledger.dir, [first]);
    if (left < keep_bytes) break;
    if (older_than_ms !== undefined && statSync(`${ledger.dir}/${segmentName(first)}`).mtimeMs > newest_ms)
      break;
    first = following;
  }
  return first;
}

/** Adds up file sizes instead of subtracting lsns, because lsns leap where a copy was adopted. */
const bytesOf = (dir: string, segments: readonly Lsn[]): number =>
  segments.reduce(
    (sum, base) => sum + (statSync(`${dir}/${segmentName(base)}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Carries everything below `first`, slice by slice. */
function carryAll(compaction: Compaction, first: Lsn): Carried {
  const { now, options } = compaction;
  const remains = options.remains ?? (() => undefined);
  const all = { carried: 0, forgotten: 0 };
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const lsns = compaction.use((ledger) => pointedBelow(ledger, first));
    if (lsns.length === 0) break;
    const from = lsns[0] ?? first;
    for (let at = 0; at < lsns.length; at += SLICE_RECORDS) {
      const slice = lsns.slice(at, at + SLICE_RECORDS);
      const done = compaction.use((ledger, writing) =>
        carry(ledger, slice, writing, { now: now(), remains }),
      );
      all.carried += done.carried;
      all.forgotten += done.forgotten;
      // Later passes only find what was written in the meantime, so only the first reports progress.
      if (pass === 0) options.onCarried?.((slice.at(-1) ?? first) - (lsns[at - 1] ?? from), first - from);
      blockThread(BREATH_MS);
    }
  }
  return all;
}

/** The point of no return: the ledger records where it now begins. */
function settle(compaction: Compaction, first: Lsn): void {
  compaction.use((ledger, options) => {
    if (first <= ledger.header.first) return;
    const left = pointedBelow(ledger, first);
    if (left.length > 0)
      throw corrupt(`${left.length} records below lsn ${first} cannot be carried`, {
        lsn: left[0],
        reason: 'compact',
      });
    const { header } = ledger;
    const body = { type: COMPACT_TYPE, agent: 'guard', ts_ms: compaction.now().wall_ms, first, s: {} };
    const { applied } = header;
    Object.assign(header, { dropped: first, first, compacted: applied });
    ledger.segments = ledger.segments.filter((base) => base >= first);
    header.segments = ledger.segments.length;
    appendNew(ledger, [body], options);
  });
}

/** Syncs everything that was carried, and writes a checkpoint, before anything is removed. */
function secure(ledger: LedgerFiles): void {
  const { header, segments, dir } = ledger;
  fdatasyncSync(segmentFile(ledger, header.base).fd);
  syncDir(dir);
  if (header.compacted > header.checkpoint || segmentsSince(segments, header.checkpoint) > 0)
    writeCheckpoint(ledger);
}

interface Removed {
  readonly names: string[];
  readonly bytes: number;
}

/** Archives the segments below the ledger's first lsn: those of this run, and any that a killed run left. */
function removeOld({ use }: Compaction): Removed {
  return use((ledger) => {
    secure(ledger);
    const { dir, header } = ledger;
    const names = list(dir)
      .segments.filter((base) => base < header.first)
      .map(segmentName);
    const bytes = names.reduce((sum, name) => sum + statSync(`${dir}/${name}`).size, 0);
    if (names.length > 0) makeDir(archiveDir(dir));
    for (const name of names) renameSync(`${dir}/${name}`, `${archiveDir(dir)}/${name}`);
    return { names, bytes };
  });
}

function compact(dir: string, options: CompactOptions): CompactReport {
  const compaction = begin(dir, options);
  const first = compaction.use((ledger) => chooseFirst(ledger, compaction));
  const { carried, forgotten } = carryAll(compaction, first);
  settle(compaction, first);
  const { names: archived, bytes: freed_bytes } = removeOld(compaction);
  return { first, carried, forgotten, archived, freed_bytes };
}

/** Safe alongside active writers. Throws what a transaction throws. */
export function compactLedger(dir: string, options: CompactOptions): CompactReport {
  try {
    return compact(dir, options);
  } catch (error) {
    throw asFailure(error, `compact the ledger in ${dir}`, { path: dir });
  }
}

/**
 * Whether compaction is worth the work: the ledger is twice as long as the last one left it (and as what is always
 * kept). Costs a few system calls and takes no lock. Meant for a background process or a session's end, not for a hook.
 */
export function compactIsDue(dir: string, keep_bytes: number = KEEP_BYTES): boolean {
  const { segments } = list(dir);
  const last = segments.at(-1);
  const found = openIndex(dir, INDEX, false);
  if (found !== undefined) close(found.file.fd);
  if (last === undefined || found?.header === undefined) return false;
  const { first, compacted, checkpoint } = found.header;
  // No file sizes are looked up if the lsns alone show that it is too early.
  const long =
    last - first < 2 * keep_bytes
      ? 0
      : bytesOf(
          dir,
          segments.filter((one) => one >= first && one < last),
        );
  const hole = Math.max(0, last - first - long);
  const left = Math.max(keep_bytes, compacted - first - hole);
  return long >= 2 * left || segmentsSince(segments, checkpoint) > 1;
}
