import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDirInMemory, removeDir } from '../store/scratch.ts';
import { type DetectorName, DETECTORS } from './detectors.ts';
import { engineFile, loadEngine } from './engine.ts';
import { MUTANTS } from './mutants.ts';

let dir = '';
beforeEach(() => {
  dir = makeDirInMemory();
});
afterEach(() => removeDir(dir));

const judge = loadEngine();

describe('the engine as it is', () => {
  test.each(Object.keys(DETECTORS) as DetectorName[])('is not blamed by "%s"', async (name) => {
    expect(await DETECTORS[name]({ engine: judge, judge, file: engineFile(), dir })).toEqual([]);
  });
});

describe('a planted bug', () => {
  // One lost race proves the bug. At a load of 16, two processes may not meet in 450 turns, as in one run of five.
  test.each(MUTANTS)('"$name" is caught by "$by"', { retry: 4 }, async ({ by, ...mutation }) => {
    const engine = loadEngine(mutation);
    const noticed = await DETECTORS[by]({ engine, judge, file: engineFile(mutation), dir });
    expect(noticed).not.toEqual([]);
  });

  test('is planted often enough', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    expect(Object.keys(DETECTORS).filter((name) => !MUTANTS.some(({ by }) => by === name))).toEqual([]);
  });
});
