/**
 * The laws of src/store/store.ts as tests. To test another engine, add one file `<name>.engine.ts` that exports an
 * `Engine`.
 */
import { describe } from 'vitest';
import { makeBench } from './bench.ts';
import type { Engine } from './engine.ts';
import { racing } from './racing.ts';
import { records } from './records.ts';
import { states } from './states.ts';
import { commits } from './commits.ts';
import { ids, steps } from './steps.ts';

export function contract(engine: Engine): void {
  const canRun = engine.canRun?.() ?? true;
  describe.skipIf(!canRun)(`the store contract: ${engine.name}`, () => {
    const made = makeBench(engine);
    describe('states', () => states(made));
    describe('records', () => records(made));
    describe('steps', () => steps(made));
    describe('commits', () => commits(made));
    describe('ids', () => ids(made));
    describe('races', () => racing(made));
  });
}
