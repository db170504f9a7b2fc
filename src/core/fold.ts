/** Folds records into states: the final state of the ledger, without an index. */
import type { Json, Key, LedgerRecord, View } from './ledger.ts';

export type Snapshot = Map<Key, Json>;

/** Applies a record of any type, known or not: its `s` has the complete state of the keys it names. */
export function applyRecord(snapshot: Snapshot, record: Pick<LedgerRecord, 's'>): void {
  for (const [key, state] of Object.entries(record.s)) {
    if (state === null) snapshot.delete(key);
    else snapshot.set(key, state);
  }
}

/** A view of everything. `next` has no meaning here, because nothing is granted from a snapshot. */
export function viewOf(snapshot: Snapshot): View {
  return {
    next: Number.MAX_SAFE_INTEGER,
    get: (key) => snapshot.get(key),
    range: (prefix) =>
      [...snapshot].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
