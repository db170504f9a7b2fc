/** All records that are kept: what compaction put aside, and the ledger. One that machines share is kept whole, and numbered by itself. */
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import type { Store } from './store.ts';
import { scanArchive } from './upkeep.ts';

export function* keptRecords(state_dir: string, store: Store): Generator<LedgerRecord, void> {
  let last = 0;
  for (const record of store.supports.shared ? [] : scanArchive(state_dir)) {
    last = record.lsn;
    yield record;
  }
  // Killed between two steps, compaction leaves a segment in both places.
  for (const record of store.scan()) if (record.lsn > last) yield record;
}

/** Where the oldest of them stands, in the ledger and in time. */
export type KeptFrom = Pick<LedgerRecord, 'lsn' | 'ts'>;

/** The oldest record that is kept; null: nothing was ever cut. */
export function keptFrom(state_dir: string, store: Store): KeptFrom | null {
  return firstOf(keptRecords(state_dir, store));
}

/** Null: they begin with the first that there ever was, or there is none. */
export function firstOf(records: Iterable<LedgerRecord>): KeptFrom | null {
  for (const { lsn, ts } of records) return lsn > FIRST ? { lsn, ts } : null;
  return null;
}

const FIRST: Lsn = 1;
