import { expect, it } from 'vitest';
import { nameFor, uniqueNames } from '../../src/core/names.ts';

const ids = Array.from({ length: 6_000 }, (_, n) => `claude-${n}`);

it('every agent has a name of two words, each another, also where there are more agents than names', () => {
  const names = uniqueNames(ids.map((id) => ({ id, chosen: null })));
  expect(new Set(names.values()).size).toBe(ids.length);
  expect([...names.values()].filter((name) => !/^[a-z]+-[a-z]+(?:-\d+)?$/.test(name))).toEqual([]);
});

it('a name does not change when others come later', () => {
  const first = uniqueNames([{ id: 'a', chosen: null }]);
  const later = uniqueNames([...['a', ...ids].map((id) => ({ id, chosen: null }))]);
  expect(later.get('a')).toBe(first.get('a'));
});

it('whoever chose a name has it, even against an id that makes the same', () => {
  const names = uniqueNames([
    { id: 'a', chosen: null },
    { id: 'b', chosen: nameFor('a') },
  ]);
  expect([names.get('a'), names.get('b')]).toEqual([`${nameFor('a')}-2`, nameFor('a')]);
});
