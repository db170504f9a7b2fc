/** What `GUARD_E2E=part` leaves out: never a promise, and no test for long. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ALWAYS, membersIn, namesIn, type Part, partAsked, secondsOf } from '../e2e/parts.ts';
import { ROOT, textOf } from './sources.ts';

const NAMES = readdirSync(join(ROOT, 'test/e2e'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.test.ts'.length));
const PARTS: readonly Part[] = [1, 2, 3, 4].map((nth) => ({ nth, of: 4 }));

const sum = (names: readonly string[]): number => names.reduce((all, name) => all + secondsOf(name), 0);

describe('the parts of the end-to-end tests', () => {
  test('every part has a test of every promise', () => {
    const promises = [...textOf('docs/promises.md').matchAll(/^\| (P\d+) \| /gm)].map(([, name]) => name);
    expect(promises.length).toBeGreaterThanOrEqual(9);
    expect(Object.keys(ALWAYS)).toEqual(expect.arrayContaining(promises));
    const always = Object.values(ALWAYS).flat();
    expect(NAMES).toEqual(expect.arrayContaining(always));
    for (const part of PARTS) expect(namesIn(part, NAMES)).toEqual(expect.arrayContaining(always));
  });

  test('together they are all, each of the rest once', () => {
    const runs = PARTS.flatMap((part) => namesIn(part, NAMES));
    expect([...new Set(runs)].sort()).toEqual([...NAMES].sort());
    const always = new Set(Object.values(ALWAYS).flat());
    const rest = runs.filter((name) => !always.has(name));
    expect(rest).toHaveLength(NAMES.length - always.size);
  });

  test('none takes much longer than another', () => {
    const seconds = PARTS.map((part) => sum(namesIn(part, NAMES)));
    expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(1.1);
  });

  test('of five clients, four parts take each once, and eight parts one each', () => {
    const five = ['a', 'b', 'c', 'd', 'e'];
    expect(PARTS.map((part) => membersIn(part, five))).toEqual([['a', 'e'], ['b'], ['c'], ['d']]);
    expect(membersIn({ nth: 8, of: 8 }, five)).toEqual(['c']);
    expect(membersIn(null, five)).toEqual(five);
  });

  test('consecutive commits take them in turn, and everything is asked for by name', () => {
    const inTurn = [7, 8, 9, 10].map((commits) => partAsked('part', commits)?.nth);
    expect(new Set(inTurn).size).toBe(4);
    expect(partAsked('2/3', 0)).toEqual({ nth: 2, of: 3 });
    expect([partAsked(undefined, 5), partAsked('all', 5)]).toEqual([null, null]);
    for (const wrong of ['5/4', '0/4', 'some', '1/0']) expect(() => partAsked(wrong, 0)).toThrow('GUARD_E2E');
  });
});
