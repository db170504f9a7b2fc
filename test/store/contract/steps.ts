/** What a step may ask, and what an id does. */
import { expect, test } from 'vitest';
import { all, failure, put } from './bench.ts';
import type { Bench } from './bench.ts';
import { body } from './worker.ts';

export function needs({ store }: Bench): void {
  test('a step may ask for more keys, again and again, and sees one state', async () => {
    for (let at = 0; at < 60; at++) await put(store(), body({ [`n:${at}`]: `n:${at + 1}` }));
    let rounds = 0;
    const walked = await store().transact(['n:0'], (view) => {
      rounds++;
      let key = 'n:0';
      for (;;) {
        if (!view.has(key)) return { need: [key] };
        const next = view.get(key);
        if (typeof next !== 'string') return { records: [], result: key };
        key = next;
      }
    });
    expect([walked, rounds]).toEqual(['n:60', 61]);
  });

  test('a step that never stops asking is stopped', async () => {
    let at = 0;
    expect(await failure(store().transact([], () => ({ need: [`n:${at++}`] })))).toBe('GUARD_ERR_INTERNAL');
    expect(at).toBe(256);
    expect(await failure(store().transact([], () => ({ need: [] })))).toBe('GUARD_ERR_INTERNAL');
    const many = Array.from({ length: 10_001 }, (_, key) => `n:${key}`);
    expect(await failure(store().transact([], () => ({ need: many })))).toBe('GUARD_ERR_INTERNAL');
  });

  test('a key that was not asked for cannot be read, nor a range in a plain read', async () => {
    expect(await failure(store().transact(['a'], (view) => ({ records: [], result: view.get('b') })))).toBe(
      'GUARD_ERR_INTERNAL',
    );
    const view = await store().read(['a'], ['a:']);
    expect(() => view.get('b')).toThrow();
    expect(() => view.range('b:')).toThrow();
    expect([view.has('a'), view.has('b')]).toEqual([true, false]);
  });

  test('a view stays as it was, whatever is committed later', async () => {
    await put(store(), body({ 'a:1': 1 }));
    const view = await store().read(['a:1'], ['a:']);
    await put(store(), body({ 'a:1': 2, 'a:2': 2 }));
    expect([view.get('a:1'), view.range('a:')]).toEqual([1, [['a:1', 1]]]);
  });

  test('a range inside a transaction sees what was committed before', async () => {
    await put(store(), body({ 'r:1': 1, 'r:2': 2 }));
    const found = await store().transact([], (view) => ({
      records: [body({ 'r:3': 3 })],
      result: view.range('r:').length,
    }));
    expect(found).toBe(2);
  });
}

export function ids({ store }: Bench): void {
  const add = (id: string, agent = 'a'): Promise<unknown> =>
    store().transact(['n'], (view) => ({
      records: [body({ n: Number(view.get('n') ?? 0) + 1 }, { agent, id })],
      result: 'told',
    }));

  test('a record whose id was committed before appends nothing, and the caller is told all the same', async () => {
    await add('x');
    expect(await add('x')).toBe('told');
    expect((await store().read(['n'])).get('n')).toBe(1);
  });

  test('neither do its siblings', async () => {
    await add('x');
    await put(store(), body({ sibling: 1 }), body({ n: 9 }, { agent: 'a', id: 'x' }));
    expect((await store().read(['sibling'])).get('sibling')).toBeUndefined();
  });

  test('an id belongs to its agent', async () => {
    await add('x', 'a');
    await add('x', 'b');
    expect((await store().read(['n'])).get('n')).toBe(2);
  });

  test('the last 64 ids of an agent are remembered, whoever writes in between', async () => {
    for (let at = 0; at < 64; at++) await add(`id-${at}`);
    for (let at = 0; at < 100; at++) await add(`id-${at}`, 'other');
    for (let at = 0; at < 64; at++) await add(`id-${at}`);
    expect((await store().read(['n'])).get('n')).toBe(164);
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
