/** What every law is tested with: a fresh place, an opened store, and short words for using it. */
import { afterEach, beforeEach } from 'vitest';
import type { LedgerRecord, RecordBody } from '../../../src/core/ledger.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Engine } from './engine.ts';

export interface Bench {
  readonly engine: Engine;
  /** Made anew for every test. */
  readonly place: () => string;
  readonly store: () => Store;
}

export async function all(store: Store, from?: number): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  for await (const record of store.scan(from)) records.push(record);
  return records;
}

export const put = (store: Store, ...records: readonly RecordBody[]): Promise<number> =>
  store.transact([], (view) => ({ records, result: view.next }));

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : error;
export const failure = (act: Promise<unknown>): Promise<unknown> => act.then(() => 'no failure', codeOf);

export function makeBench(engine: Engine): Bench {
  let place = '';
  let store: Store | undefined;
  beforeEach(async () => {
    place = await engine.makePlace();
    store = engine.open(place);
  });
  afterEach(async () => {
    await store?.close();
    await engine.removePlace(place);
  });
  return {
    engine,
    place: () => place,
    store() {
      if (store === undefined) throw new Error('the test has no store');
      return store;
    },
  };
}
