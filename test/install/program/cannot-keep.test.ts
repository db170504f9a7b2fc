import { expect, it } from 'vitest';
import { GuardError } from '../../../src/core/error.ts';
import { cannotKeep } from '../../../src/install/program/cannot-keep.ts';
import { asFailure } from '../../../src/store/failure.ts';

const denied = Object.assign(new Error('no'), { code: 'EACCES' });

it.each([
  ['a file', denied],
  ['the lock', asFailure(denied, 'open /data/guard/lock')],
])('a home where %s cannot be written is named, with what to do about it', (_what, error) => {
  const hint = expect.stringContaining('XDG_DATA_HOME') as unknown;
  const facts = { home: '/data/guard', errno: 'EACCES' };
  expect(cannotKeep('/data/guard', error)).toMatchObject({ code: 'GUARD_ERR_IO', hint, facts });
});

it('an error that explains itself stays as it is', () => {
  const full = asFailure(Object.assign(new Error('no'), { code: 'ENOSPC' }), 'open /data/guard/lock');
  const unsafe = new GuardError('GUARD_ERR_PATH', 'It may be written by others.', 'chmod');
  for (const error of [full, unsafe, new Error('a bug')])
    expect(cannotKeep('/data/guard', error)).toBe(error);
});
