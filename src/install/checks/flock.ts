import { unlessRefused } from '../../core/attempt.ts';
import { chooseFlock } from '../../store/flock/flock.ts';
import { checking, ok, refused, warn } from '../check.ts';

/** All providers take the same kernel lock, so a slower one is just as safe. */
export const flock = checking('flock', ({ env }) =>
  unlessRefused(() => {
    const { name } = chooseFlock(env['GUARD_FLOCK']);
    const facts = { provider: name };
    if (name !== 'flock') return ok(`File locks by ${name}`, { facts });
    const { platform, arch } = process;
    const hint =
      env['GUARD_FLOCK'] === name
        ? 'GUARD_FLOCK selects it. Unset it.'
        : `guard has no native code for ${platform} on ${arch}, or it cannot be loaded.`;
    return warn('File locks by a helper program (flock), which is slower: 6 to 10 ms per hook', {
      facts,
      hint,
    });
  }, refused),
);
