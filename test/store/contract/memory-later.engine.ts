/** An engine that answers in promises, as a remote one does, and cannot exclude other writers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRecord } from '../../../src/core/ledger.ts';
import type { Store } from '../../../src/store/store.ts';
import { engine as plain, openPlace } from './memory.engine.ts';
import type { Engine } from './engine.ts';

async function* later(records: Iterable<LedgerRecord>): AsyncGenerator<LedgerRecord, void> {
  for (const record of records) yield await Promise.resolve(record);
}

function inPromises(store: Store): Store<'later'> {
  const soon = async <T>(act: () => T): Promise<T> => {
    await nextTurn();
    return act();
  };
  return {
    supports: store.supports,
    look: (keys, indexes) => soon(() => store.look(keys, indexes)),
    commit: (read, records, id) => soon(() => store.commit(read, records, id)),
    scan: (from) => later(store.scan(from)),
    watch: (from, signal) => store.watch(from, signal),
    tip: () => soon(() => store.tip()),
    close: () => soon(() => store.close()),
  };
}

export const engine: Engine = {
  ...plain,
  name: 'memory, in promises',
  module: 'test/store/contract/memory-later.engine.ts',
  open: (place) => inPromises(openPlace(place)),
};
