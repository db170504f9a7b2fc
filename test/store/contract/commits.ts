/** Looks and commits without the loop: nothing is committed on top of a key that has moved. */
import { expect, test } from 'vitest';
import type { StoreLook, Read } from '../../../src/store/store.ts';
import { all, type Bench, get, put } from './bench.ts';
import { body } from './worker.ts';

const readOf = ({ states, lists, tip }: StoreLook): Read => ({
  tip,
  lists,
  keys: new Map([...states].map(([key, { version }]) => [key, version])),
});
const BELOW = { below: 'm:', since: 0 };

export function commits({ store }: Bench): void {
  test('a look answers what has no state too, and versions that grow', async () => {
    const before = await store().look(['k']);
    expect(before.states.get('k')).toEqual({ state: undefined, version: 0 });
    await put(store(), body({ k: 1 }));
    const first = (await store().look(['k'])).states.get('k');
    await put(store(), body({ k: 1 }));
    const second = (await store().look(['k'])).states.get('k');
    expect(second?.version).toBeGreaterThan(first?.version ?? Infinity);
    expect((await store().look([])).tip).toBeGreaterThan(before.tip);
    expect(before.now.wall_ms).toBeTypeOf('number');
  });

  test.each([
    ['altered', { k: 2 }],
    ['removed', { k: null }],
    ['written again as it was', { k: 1 }],
  ])('a key that was %s since it was read refuses the commit, and is answered afresh', async (_what, s) => {
    await put(store(), body({ k: 1 }));
    const look = await store().look(['k']);
    await put(store(), body(s));
    const done = await store().commit(readOf(look), [body({ other: 1 })]);
    if (done.verdict !== 'moved') throw new Error(done.verdict);
    expect(done.look.get('k')).toBe(s.k ?? undefined);
    expect(await get(store(), 'other')).toBeUndefined();
    const again = await store().commit(readOf(done.look), [body({ other: 1 })]);
    expect([again.verdict, await get(store(), 'other')]).toEqual(['done', 1]);
  });

  test('a key that had no state when it was read, and has one now, refuses the commit', async () => {
    const look = await store().look(['k']);
    await put(store(), body({ k: 1 }));
    expect((await store().commit(readOf(look), [body({ other: 1 })])).verdict).toBe('moved');
  });

  test('what was not read may move', async () => {
    const look = await store().look(['k'], [BELOW]);
    await put(store(), body({ j: 1, 'n:1': 1 }));
    expect((await store().commit(readOf(look), [body({ k: 1 })])).verdict).toBe('done');
  });

  test.each([
    ['grew', [{ 'm:3': 1 }]],
    ['shrank', [{ 'm:2': null }]],
    ['lost its newest entry', [{ 'm:1': null }]],
    ['holds another state', [{ 'm:1': 5 }]],
    ['lost one entry and got another', [{ 'm:1': null }, { 'm:3': 1 }]],
  ])(
    'a listing that %s since it was read refuses the commit, and is answered afresh',
    async (_what, changes) => {
      await put(store(), body({ 'm:2': 1 }));
      await put(store(), body({ 'm:1': 1 }));
      const look = await store().look([], [BELOW]);
      for (const s of changes) await put(store(), body(s));
      const done = await store().commit(readOf(look), [body({ other: 1 })]);
      if (done.verdict !== 'moved') throw new Error(done.verdict);
      expect(done.look.lists[0]?.entries).toEqual((await store().look([], [BELOW])).lists[0]?.entries);
      expect(await get(store(), 'other')).toBeUndefined();
    },
  );

  test('a listing with a bound has the newest in key order, and all where they are fewer', async () => {
    for (const n of [5, 1, 4, 2, 3]) await put(store(), body({ [`m:${n}`]: n }));
    const keys = async (most: number): Promise<string[]> => {
      const { lists } = await store().look([], [{ ...BELOW, most }]);
      return (lists[0]?.entries ?? []).map(([key]) => key);
    };
    expect(await keys(2)).toEqual(['m:2', 'm:3']);
    for (const most of [0, 6]) expect(await keys(most)).toEqual(['m:1', 'm:2', 'm:3', 'm:4', 'm:5']);
  });

  test.each([
    ['has a newer entry', { 'm:9': 1 }, 'moved'],
    ['lost one of its entries', { 'm:2': null }, 'moved'],
    ['lost its oldest entry', { 'm:1': null }, 'moved'],
    ['has one again that was too old for it', { 'm:0': 5 }, 'moved'],
    ['is the same, though an older entry went', { 'm:0': null }, 'done'],
  ])('a listing with a bound that %s', async (_what, s, verdict) => {
    for (const n of [0, 1, 2]) await put(store(), body({ [`m:${n}`]: n }));
    const look = await store().look([], [{ ...BELOW, most: 2 }]);
    await put(store(), body(s));
    expect((await store().commit(readOf(look), [body({ other: 1 })])).verdict).toBe(verdict);
  });

  test('a commit that is repeated under its id is appended once, and answers the same number', async () => {
    const look = await store().look(['k']);
    const first = await store().commit(readOf(look), [body({ k: 1 }), body({ j: 1 })], 'once');
    const second = await store().commit(readOf(look), [body({ k: 1 }), body({ j: 1 })], 'once');
    expect([first.verdict, second.verdict]).toEqual(['done', 'repeated']);
    expect(second).toMatchObject({ lsn: first.verdict === 'done' ? first.lsn : 0 });
    expect((await all(store())).length).toBe(2);
  });

  test('a commit of nothing succeeds whatever moved, for nothing rests on it', async () => {
    const look = await store().look([]);
    await put(store(), body({ k: 1 }));
    expect((await store().commit(readOf(look), [])).verdict).toBe('done');
    expect((await all(store())).length).toBe(1);
  });
}
