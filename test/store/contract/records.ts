/** What a record contains, and in which order records follow each other. */
import { expect, test } from 'vitest';
import { transact } from '../../../src/store/transact.ts';
import { all, type Bench, failure, get, put } from './bench.ts';
import { body } from './worker.ts';

export function records({ store }: Bench): void {
  test('records come back in order, whole, with growing lsns and an unbroken chain', async () => {
    for (let at = 0; at < 200; at++) await put(store(), body({ [`k:${at % 7}`]: at }, { fact: { at } }));
    const found = await all(store());
    expect(found.map((record) => record['fact'])).toEqual(Array.from({ length: 200 }, (_, at) => ({ at })));
    for (const [at, record] of found.entries()) {
      expect(record.lsn).toBeGreaterThan(found[at - 1]?.lsn ?? 0);
      expect(record.prev).toBe(found[at - 1]?.crc ?? '00000000');
      expect(record).toMatchObject({ v: 1, type: 'test', agent: 'tester', ts: '2023-11-14T22:13:20.000Z' });
    }
  });

  test('a scan may begin anywhere, between two records too', async () => {
    for (let at = 0; at < 100; at++) await put(store(), body({ k: at }, { at }));
    const found = await all(store());
    const middle = found[57]?.lsn ?? 0;
    expect((await all(store(), middle)).length).toBe(43);
    expect((await all(store(), middle + 1)).length).toBe(42);
    expect((await all(store(), 0)).length).toBe(100);
    expect(await all(store(), (found.at(-1)?.lsn ?? 0) + 1)).toEqual([]);
  });

  test('unknown types and facts are kept, and their states count', async () => {
    await put(
      store(),
      body({ k: { new: true } }, { type: 'from.the.future', colour: ['blue', { deep: null }] }),
    );
    const [record] = await all(store());
    expect(record).toMatchObject({ type: 'from.the.future', colour: ['blue', { deep: null }] });
    expect(await get(store(), 'k')).toEqual({ new: true });
  });

  test('a commit of no records takes no lsn', async () => {
    const before = await put(store());
    await put(store());
    expect(await put(store())).toBe(before);
    expect(await all(store())).toEqual([]);
  });

  test('next is larger than the lsn of every earlier record, and at most that of the first of the step', async () => {
    let last = 0;
    for (let round = 0; round < 50; round++) {
      const token = await put(store(), body({ k: round }), body({ j: round }));
      const mine = (await all(store(), last + 1))[0]?.lsn ?? 0;
      expect(token).toBeGreaterThan(last);
      expect(token).toBeLessThanOrEqual(mine);
      last = (await all(store())).at(-1)?.lsn ?? 0;
    }
  });

  test('a record cannot pretend to be the engine', async () => {
    for (const field of ['v', 'ts', 'lsn', 'crc', 'prev', 'more']) {
      expect(await failure(put(store(), body({ k: 1 }, { [field]: 1 })))).toBe('GUARD_ERR_INTERNAL');
    }
    expect(await all(store())).toEqual([]);
  });

  test('a step that throws commits nothing, and the store goes on', async () => {
    const thrown = async (): Promise<unknown> =>
      await transact(store(), () => {
        throw new RangeError('no');
      });
    await expect(thrown()).rejects.toThrow(RangeError);
    await put(store(), body({ k: 1 }));
    expect((await all(store())).length).toBe(1);
  });
}
