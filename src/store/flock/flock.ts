/**
 * flock(2), exclusive and non-blocking, by whatever can call it on this machine. Every provider takes the
 * same kernel lock on the same file, so processes that use different ones exclude each other. Without any:
 * GUARD_ERR_NO_FLOCK, and nothing is written.
 *
 * `GUARD_FLOCK` names one provider (tests, and people who want to know); an unknown or unusable name is an
 * error, never another lock.
 */
import { noFlock } from '../told-failure.ts';
import { nativeFlock } from './native.ts';
import { otherFlock } from './others.ts';

interface LockTarget {
  readonly fd: number;
  readonly path: string;
}

export interface Flock {
  readonly name: string;
  /**
   * Undefined while somebody else holds the lock; else a function that frees what the provider itself opened.
   * The lock ends when `target.fd` and that are closed.
   */
  take(target: LockTarget): (() => void) | undefined;
}

/** In order of cost (decision 089): Linux has the first, macOS and the BSDs the second, any other Linux the third. */
const FLOCK_NAMES = ['native', 'exlock', 'flock'];

/** Undefined where the provider does not work on this machine. */
function load(name: string): Flock | undefined {
  return name === 'native' ? nativeFlock() : otherFlock(name);
}

export function chooseFlock(wanted: string | undefined = process.env['GUARD_FLOCK']): Flock {
  const names = wanted === undefined || wanted === '' ? FLOCK_NAMES : [wanted];
  for (const name of names) {
    const flock = load(name);
    if (flock !== undefined) return flock;
  }
  throw noFlock(names);
}
