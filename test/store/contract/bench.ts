/** The tools of every law: a fresh place, an opened store, and short names for its calls. */
import { afterEach, beforeEach } from 'vitest';
import type { Json, Key, LedgerRecord, RecordBody } from '../../../src/core/ledger.ts';
import { consult, transact } from '../../../src/store/transact.ts';
import type { AnyStore, Engine } from './engine.ts';

export interface Bench {
  readonly engine: Engine;
  /** Made fresh for every test. */
  readonly place: () => string;
  readonly store: () => AnyStore;
}

export async function all(store: AnyStore, from?: number): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  for await (const record of store.scan(from)) records.push(record);
  return records;
}

/** Makes one commit; returns the lsn of its first record. */
export const put = async (store: AnyStore, ...records: readonly RecordBody[]): Promise<number> =>
  await transact(store, (view) => ({ records, result: view.next }));

export const get = async (store: AnyStore, key: Key): Promise<Json | undefined> =>
  (await store.look([key])).get(key);

export const range = async (store: AnyStore, below: string): Promise<readonly (readonly [Key, Json])[]> =>
  await consult(store, (view) => view.range(below));

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : error;
export const failure = (act: Promise<unknown>): Promise<unknown> => act.then(() => 'no failure', codeOf);

export function makeBench(engine: Engine): Bench {
  let place = '';
  let store: AnyStore | undefined;
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
