/** What a process that waits remembers of the ledger: the states around its waits, kept up to date by the records that follow. */
import type { Json, Key, LedgerRecord, Lsn, View } from '../core/ledger.ts';

interface Entry {
  readonly state: Json | undefined;
  /** Records before this one are in it. */
  readonly since: Lsn;
}

/** What was read through a view. */
export interface StateReading {
  readonly used: Set<Key>;
  /** Nobody remembers them: they were read as having no state. */
  readonly gaps: Set<Key>;
}

export interface KeptStates {
  /** States as one transaction or read saw them; `next`: the lsn that comes after. */
  put(states: Iterable<readonly [Key, Json | undefined]>, next: Lsn): void;
  /** True when the record says something of a key that is remembered. Takes records in order. */
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
      // As the transactions saw them: what they did not read is a gap.
      indexed: true,
    }),
    forgetAllBut(keys) {
      for (const key of entries.keys()) if (!keys.has(key)) entries.delete(key);
    },
  };
}
