import { isGuardError } from '../../core/error.ts';
import { chooseFlock } from '../../store/flock/flock.ts';
import { fail, ok, warn } from '../check.ts';
import type { Check } from '../check.ts';

/** All take the same kernel lock, so a slower one is as safe as the first. */
export const flock: Check = {
  id: 'flock',
  run: ({ env }) => {
    try {
      const { name } = chooseFlock(env['GUARD_FLOCK']);
      const facts = { provider: name };
      if (name !== 'flock') return [ok('flock', `File locks by ${name}`, { facts })];
      const { platform, arch } = process;
      const hint =
        env['GUARD_FLOCK'] === name
          ? 'GUARD_FLOCK asks for it. Unset it.'
          : `guard has no native code for ${platform} on ${arch}, or it cannot be loaded.`;
      return [
        warn('flock', 'File locks by a helper program (flock), which is slower: 6 to 10 ms a hook', {
          facts,
          hint,
        }),
      ];
    } catch (error) {
      if (!isGuardError(error)) throw error;
      return [fail('flock', error.message, { facts: { code: error.code }, hint: error.hint })];
    }
  },
};
