/** All records that are kept: the archive, then the ledger. A shared ledger is never compacted and has its own lsns. */
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import type { Store } from './store.ts';
import { scanArchive } from './upkeep.ts';

export function* keptRecords(state_dir: string, store: Store): Generator<LedgerRecord, void> {
  let last = 0;
  for (const record of store.supports.shared ? [] : scanArchive(state_dir)) {
    last = record.lsn;
    yield record;
  }
  // A compaction killed between two steps leaves a segment in both places.
  for (const record of store.scan()) if (record.lsn > last) yield record;
}

/** The position and time of the oldest one. */
export type KeptFrom = Pick<LedgerRecord, 'lsn' | 'ts'>;

/** The oldest record that exists; null if nothing was ever cut. */
export function keptFrom(state_dir: string, store: Store): KeptFrom | null {
  return firstOf(keptRecords(state_dir, store));
}

/** Null if they begin with the very first record, or if there are none. */
export function firstOf(records: Iterable<LedgerRecord>): KeptFrom | null {
  for (const { lsn, ts } of records) return lsn > FIRST ? { lsn, ts } : null;
  return null;
}

const FIRST: Lsn = 1;
