import { describe, expect, test } from 'vitest';

import { circlesOf, homesOf, manyParameters } from './shape.ts';
import { compare, NOTHING, readLists, sinceListed } from './shrinking.ts';
import { filesIn, linesOf } from './sources.ts';

const SOURCES = filesIn('src', /\.tsx?$/);
const LINES_USUAL = 120;
const HOMONYMS_MAX = 5;

describe('the structure of src/', () => {
  test('no files know each other in a circle, not even for a type', () => {
    expect(sinceListed('circles', circlesOf(SOURCES))).toEqual(NOTHING);
  });

  test('a function has at most four parameters', () => {
    expect(sinceListed('parameters', manyParameters(SOURCES))).toEqual(NOTHING);
  });

  test('a file has at most 120 lines of code', () => {
    const long = SOURCES.map((path) => [path, linesOf(path)] as const).filter(
      ([, lines]) => lines > LINES_USUAL,
    );
    expect(sinceListed('lines', new Map(long))).toEqual(NOTHING);
  });

  test('an exported name has one home', () => {
    const lasting = readLists()['homonyms that stay']?.known ?? {};
    const shared = [...homesOf(SOURCES)].filter(([, homes]) => homes.size > 1);
    const counted = shared.map(([name, homes]) => [name, homes.size] as const);
    const isLasting = ([name]: readonly [string, number]): boolean => Object.hasOwn(lasting, name);
    const to_rename = new Map(counted.filter((one) => !isLasting(one)));
    expect(Object.keys(lasting).length).toBeLessThanOrEqual(HOMONYMS_MAX);
    expect(Object.keys(lasting).filter((name) => !shared.some(([it]) => it === name))).toEqual([]);
    expect(sinceListed('homonyms to rename', to_rename)).toEqual(NOTHING);
  });

  test('every list says why', () => {
    const lists = Object.entries(readLists());
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(([, { why }]) => why.length < 20).map(([name]) => name)).toEqual([]);
  });
});

describe('a list that may only shrink', () => {
  test('lets what it lists stay and become less', () => {
    expect(compare({ a: 3 }, new Map([['a', 2]]))).toEqual(NOTHING);
  });

  test('refuses what is new, and what has grown', () => {
    const found = new Map([
      ['a', 4],
      ['b', 1],
    ]);
    expect(compare({ a: 3 }, found)).toEqual({ worse: ['"a": 4', '"b": 1'], mended: [] });
  });

  test('refuses to list what is mended', () => {
    expect(compare({ a: 3 }, new Map())).toEqual({ worse: [], mended: ['a'] });
  });
});

describe('the measures', () => {
  test('see what they are for', () => {
    const self = ['test/architecture/samples/one.ts', 'test/architecture/samples/two.ts'];
    expect([...circlesOf(self)]).toEqual(self.map((path) => [path, 2]));
    expect([...manyParameters(self)]).toEqual([['test/architecture/samples/one.ts#five', 5]]);
    expect([...(homesOf(self).get('Same') ?? [])]).toEqual(self);
    expect(homesOf(self).get('five')?.size).toBe(1);
  });
});
