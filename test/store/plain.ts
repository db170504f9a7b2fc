/** A synchronous store for tests that check a ledger's contents: one transaction, one reading, one scan. */
import type { Json, Key, LedgerRecord, Lsn } from '../../src/core/ledger.ts';
import { openStore, type LocalConfig } from '../../src/store/open.ts';
import type { Sight, Step, Store } from '../../src/store/store.ts';
import { consult, transact } from '../../src/store/transact.ts';

/** What was read, whatever is committed later. Other keys and ranges throw. */
export interface Snapshot {
  readonly next: Lsn;
  get(key: Key): Json | undefined;
  range(prefix: string): readonly (readonly [Key, Json])[];
}

export interface PlainStore {
  readonly store: Store;
  transactSync<T>(keys: readonly Key[], step: (view: Sight) => Step<T>): T;
  readSync(keys: readonly Key[], prefixes?: readonly string[]): Snapshot;
  lookSync<T>(look: (view: Sight) => T): T;
  scanSync(from?: Lsn): Iterable<LedgerRecord>;
  tip(): Lsn;
  closeSync(): void;
}

export function plain(store: Store): PlainStore {
  return {
    store,
    transactSync: (_keys, step) => transact(store, step),
    readSync: (keys, prefixes = []) => consult(store, (view) => snapshotOf(view, keys, prefixes)),
    lookSync: (look) => consult(store, look),
    scanSync: (from) => store.scan(from),
    tip: () => store.tip(),
    closeSync: () => store.close(),
  };
}

function snapshotOf(view: Sight, keys: readonly Key[], prefixes: readonly string[]): Snapshot {
  const ranges = new Map(prefixes.map((prefix) => [prefix, view.range(prefix)]));
  const states = new Map(keys.map((key) => [key, view.get(key)]));
  return {
    next: view.tip,
    get(key) {
      if (!states.has(key)) throw new Error(`the key ${key} was not asked for`);
      return states.get(key);
    },
    range(prefix) {
      const found = ranges.get(prefix);
      if (found === undefined) throw new Error(`the range ${prefix} was not asked for`);
      return found;
    },
  };
}

/** Under the engine's own name, for programs that are built from it. */
export const openEmbedded = (dir: string, options: Omit<LocalConfig, 'dir'>): PlainStore =>
  plain(openStore({ dir, ...options }));
