/** What a step may ask for, and what an id does. */
import { expect, test } from 'vitest';
import { transact } from '../../../src/store/transact.ts';
import { all, type Bench, failure, get, put, range } from './bench.ts';
import { briefly } from './briefly.ts';
import { body } from './worker.ts';

export function steps({ store }: Bench): void {
  test('a step may read whatever what it read leads to, and sees one state', async () => {
    for (let at = 0; at < 60; at++) await put(store(), body({ [`n:${at}`]: `n:${at + 1}` }));
    let runs = 0;
    const walked = await transact(store(), (view) => {
      runs++;
      for (let key = 'n:0'; ;) {
        const next = view.get(key);
        if (typeof next !== 'string') return { records: [], result: key };
        key = next;
      }
    });
    expect(walked).toBe('n:60');
    expect(runs).toBeLessThanOrEqual(62);
  });

  test('a step that never stops reading further keys is stopped', async () => {
    const endless = async (): Promise<unknown> =>
      await transact(store(), (view) => {
        for (let at = 0; at <= 100_001; at++) view.get(`n:${at}`);
        return { records: [], result: null };
      });
    expect(await failure(endless())).toBe('GUARD_ERR_INTERNAL');
    let at = 0;
    const restless = async (): Promise<unknown> =>
      await transact(briefly(store()), (view) => {
        view.get(`n:${at++}`);
        if (at < 20_000) throw new RangeError('not yet');
        return { records: [], result: null };
      });
    expect(['GUARD_ERR_INTERNAL', expect.any(RangeError)]).toContainEqual(await failure(restless()));
  });

  test('a step reads as many keys as an agent may hold files', async () => {
    const read = await transact(store(), (view) => {
      for (let at = 0; at < 30_000; at++) view.get(`n:${at}`);
      return { records: [], result: 'done' };
    });
    expect(read).toBe('done');
  });

  test('a look stays as it was, whatever is committed later', async () => {
    await put(store(), body({ 'a:1': 1 }));
    const look = await store().look(['a:1'], [{ below: 'a:', since: 0 }]);
    await put(store(), body({ 'a:1': 2, 'a:2': 2 }));
    expect([look.get('a:1'), look.lists.map(({ entries }) => entries)]).toEqual([1, [[['a:1', 1]]]]);
  });

  test('a range inside a transaction sees what was committed before', async () => {
    await put(store(), body({ 'r:1': 1, 'r:2': 2 }));
    const found = await transact(store(), (view) => ({
      records: [body({ 'r:3': 3 })],
      result: view.range('r:').length,
    }));
    expect(found).toBe(2);
    expect((await range(store(), 'r:')).length).toBe(3);
  });

  test('what was listed may be read key by key, and what was not has no state', async () => {
    await put(store(), body({ 'r:1': 1, 'r:2': 2 }));
    const found = await transact(store(), (view) => ({
      records: [body({ sum: view.range('r:').length })],
      result: [view.get('r:1'), view.get('r:2'), view.get('r:3')],
    }));
    expect(found).toEqual([1, 2, undefined]);
  });

  test('the number of a commit stands wherever its step left room for it, in text and keys too', async () => {
    const answer = await transact(store(), ({ next }) => ({
      records: [
        body({ k: { token: next, id: `r-${next}` }, [`message:m-${next + 1}`]: [next + 1] }, { token: next }),
      ],
      result: { token: next, ids: [`r-${next}`, `m-${next + 1}`], said: `r-${next} is no name here` },
    }));
    const [record] = await all(store());
    const lsn = Number(record?.['token']);
    expect(Number.isSafeInteger(lsn)).toBe(true);
    expect(lsn).toBeLessThanOrEqual(record?.lsn ?? 0);
    expect(answer).toMatchObject({ token: lsn, ids: [`r-${lsn}`, `m-${lsn + 1}`] });
    expect(record?.s).toEqual({ k: { token: lsn, id: `r-${lsn}` }, [`message:m-${lsn + 1}`]: [lsn + 1] });
  });
}

export function ids({ store }: Bench): void {
  const add = async (id: string, agent = 'a'): Promise<unknown> =>
    await transact(store(), (view) => ({
      records: [body({ n: Number(view.get('n') ?? 0) + 1 }, { agent, id })],
      result: 'told',
    }));

  test('a record whose id was committed before appends nothing, and the caller is told all the same', async () => {
    await add('x');
    expect(await add('x')).toBe('told');
    expect(await get(store(), 'n')).toBe(1);
  });

  test('neither do its siblings', async () => {
    await add('x');
    await put(store(), body({ sibling: 1 }), body({ n: 9 }, { agent: 'a', id: 'x' }));
    expect(await get(store(), 'sibling')).toBeUndefined();
  });

  test('an id belongs to its agent', async () => {
    await add('x', 'a');
    await add('x', 'b');
    expect(await get(store(), 'n')).toBe(2);
  });

  test('the last 64 ids of an agent are remembered, whoever writes in between', async () => {
    for (let at = 0; at < 64; at++) await add(`id-${at}`);
    for (let at = 0; at < 100; at++) await add(`id-${at}`, 'other');
    for (let at = 0; at < 64; at++) await add(`id-${at}`);
    expect(await get(store(), 'n')).toBe(164);
  });

  test('the same id twice in one commit is a mistake', async () => {
    const twins = put(store(), body({ k: 1 }, { id: 'x' }), body({ k: 2 }, { id: 'x' }));
    expect(await failure(twins)).toBe('GUARD_ERR_INTERNAL');
  });

  test('records without an id each get one of their own', async () => {
    for (let at = 0; at < 30; at++) await put(store(), body({ k: at }));
    expect(new Set((await all(store())).map(({ id }) => id)).size).toBe(30);
  });
}
