import { expect, test } from 'vitest';
import { GuardError } from '../../src/core/error.ts';
import { everyStep } from '../../src/core/every-step.ts';

const fail = (error: Error) => () => {
  throw error;
};

test('the steps after a refusal run, and the first refusal is thrown; a fault stops them', () => {
  const done: number[] = [];
  const [one, two] = [1, 2].map((nth) => new GuardError('GUARD_ERR_BUSY', `${nth}`, ''));
  if (one === undefined || two === undefined) throw new Error('none');
  const act = () => done.push(1);
  expect(() => everyStep(fail(one), act, fail(two), act)).toThrow(one);
  expect(done).toHaveLength(2);
  expect(() => everyStep(fail(new TypeError('x')), act)).toThrow(TypeError);
  expect(done).toHaveLength(2);
});
