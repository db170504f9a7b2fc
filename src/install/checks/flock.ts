import { isGuardError } from '../../core/error.ts';
import { chooseFlock } from '../../store/flock/flock.ts';
import { fail, ok } from '../check.ts';
import type { Check } from '../check.ts';

/** Slower ones are as safe as the first: all take the same kernel lock. */
export const flock: Check = {
  id: 'flock',
  run: ({ env }) => {
    try {
      const { name } = chooseFlock(env['GUARD_FLOCK']);
      return [ok('flock', `File locks by ${name}`, { facts: { provider: name } })];
    } catch (error) {
      if (!isGuardError(error)) throw error;
      return [fail('flock', error.message, { facts: { code: error.code }, hint: error.hint })];
    }
  },
};
