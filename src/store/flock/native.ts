/** flock(2) through guard's own native file. */
import { nativeCode } from '../../repo/native.ts';
import type { Flock } from './provider.ts';

const LOCK_EX_NB = 2 | 4;
/** The same numbers on every Linux architecture that has a native file. */
const EINTR = -4;
const EAGAIN = -11;

export function nativeFlock(): Flock | undefined {
  const { take } = nativeCode();
  if (take === undefined) return undefined;
  return {
    name: 'native',
    take({ fd }) {
      const result = take(fd, LOCK_EX_NB);
      if (result === 0) return () => undefined;
      if (result === EAGAIN || result === EINTR) return undefined;
      throw Object.assign(new Error(`flock: errno ${result}`), { code: 'ENOLCK' });
    },
  };
}
