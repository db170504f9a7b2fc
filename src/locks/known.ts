/** What a waiting process remembers of the ledger: the states around its waits, kept up to date by later records. */
import type { Json, Key, LedgerRecord, Lsn, View } from '../core/ledger.ts';

interface Entry {
  readonly state: Json | undefined;
  /** The state includes all records before this one. */
  readonly since: Lsn;
}

/** The keys read through a view. */
export interface StateReading {
  readonly used: Set<Key>;
  /** Keys that are not remembered and were read as having no state. */
  readonly gaps: Set<Key>;
}

export interface KeptStates {
  /** States as one transaction or read saw them; `next`: the first lsn after them. */
  put(states: Iterable<readonly [Key, Json | undefined]>, next: Lsn): void;
  /** True if the record changes a remembered key. Takes records in order. */
  heard(record: LedgerRecord): boolean;
  view(reading: StateReading): View;
  forgetAllBut(keys: ReadonlySet<Key>): void;
}

export function openKnown(): KeptStates {
  const entries = new Map<Key, Entry>();
  return {
    put(states, since) {
      for (const [key, state] of states) {
        if ((entries.get(key)?.since ?? 0) <= since) entries.set(key, { state, since });
      }
    },
    heard({ s, lsn }) {
      const keys = Object.keys(s).filter((key) => (entries.get(key)?.since ?? Infinity) <= lsn);
      for (const key of keys) entries.set(key, { state: s[key] ?? undefined, since: lsn });
      return keys.length > 0;
    },
    view: ({ used, gaps }) => ({
      next: 0,
      get(key) {
        used.add(key);
        const entry = entries.get(key);
        if (entry === undefined) gaps.add(key);
        return entry?.state;
      },
      range: () => [],
      // As the transactions saw them: a key that they did not read is a gap.
      indexed: true,
    }),
    forgetAllBut(keys) {
      for (const key of entries.keys()) if (!keys.has(key)) entries.delete(key);
    },
  };
}
