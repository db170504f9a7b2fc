/** The state of a key, and the contents of a range. */
import { expect, test } from 'vitest';
import { all, type Bench, get, put, range } from './bench.ts';
import { body } from './worker.ts';

export function states({ store }: Bench): void {
  test('a store that was never written is empty, and reading it writes nothing', async () => {
    expect(await get(store(), 'a:1')).toBeUndefined();
    expect(await range(store(), 'a:')).toEqual([]);
    expect(await all(store())).toEqual([]);
  });

  test('a state is what was written last, until null removes it', async () => {
    await put(store(), body({ 'a:1': { x: 1 }, 'a:2': [1] }));
    await put(store(), body({ 'a:1': 'two' }));
    expect(await get(store(), 'a:1')).toBe('two');
    await put(store(), body({ 'a:1': null }));
    expect(await get(store(), 'a:1')).toBeUndefined();
    expect(await range(store(), 'a:')).toEqual([['a:2', [1]]]);
  });

  test('a key that was removed can come back', async () => {
    await put(store(), body({ k: 1 }));
    await put(store(), body({ k: null }));
    await put(store(), body({ k: 2 }));
    expect(await get(store(), 'k')).toBe(2);
  });

  test('within one commit the later record wins', async () => {
    await put(store(), body({ k: 1, j: 1 }), body({ k: 2 }), body({ j: null }));
    const view = await store().look(['k', 'j']);
    expect([view.get('k'), view.get('j')]).toEqual([2, undefined]);
  });

  test('a range holds the live keys below its prefix in key order, and no others', async () => {
    await put(store(), body({ 'path:b': 1, 'path:a': 2, 'paths:x': 3, 'wait:a': 4, 'path:': 5 }));
    await put(store(), body({ 'path:b': null, 'path:c/d': 6, 'path:c': 7, 'path:B': 8 }));
    expect(await range(store(), 'path:')).toEqual([
      ['path:', 5],
      ['path:B', 8],
      ['path:a', 2],
      ['path:c', 7],
      ['path:c/d', 6],
    ]);
    expect(await range(store(), 'path:c')).toEqual([
      ['path:c', 7],
      ['path:c/d', 6],
    ]);
    expect(await range(store(), 'wait:')).toEqual([['wait:a', 4]]);
    expect(await range(store(), 'none:')).toEqual([]);
    expect((await range(store(), '')).length).toBe(7);
  });

  test('keys and states of every kind of text come back as they were', async () => {
    const texts = [
      'a b',
      'ü',
      '\u2028\n\r\t"\\',
      '","crc":"00000000"}',
      '😀',
      '\ud800',
      '__proto__',
      'constructor',
      'x'.repeat(5000),
      '',
    ];
    for (const text of texts)
      await put(store(), body({ [`path:${text}`]: { [text]: text } }, { fact: text }));
    const keys = texts.map((text) => `path:${text}`);
    const view = await store().look(keys);
    for (const text of texts)
      expect(JSON.stringify(view.get(`path:${text}`))).toBe(JSON.stringify({ [text]: text }));
    expect((await range(store(), 'path:')).map(([key]) => key)).toEqual([...keys].sort());
  });

  test('hundreds of keys stay apart', async () => {
    for (let round = 0; round < 40; round++) {
      await put(
        store(),
        body(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`path:${round}/${at}`, at + round]))),
      );
    }
    expect((await range(store(), 'path:')).length).toBe(800);
    expect((await range(store(), 'path:7/')).map(([, state]) => state)).toEqual(
      expect.arrayContaining([7, 26]),
    );
  });
}
