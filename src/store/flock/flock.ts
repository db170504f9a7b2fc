/**
 * flock(2), exclusive and non-blocking, through whatever can call it on this machine. Every provider takes the
 * same kernel lock on the same file, so processes that use different ones exclude each other. If there is none,
 * GUARD_ERR_NO_FLOCK is thrown and nothing is written.
 *
 * `GUARD_FLOCK` selects one provider, for tests and diagnosis; an unknown or unusable name is an error and never
 * falls back to another lock.
 */
import { nativeFlock } from './native.ts';
import { otherFlock } from './others.ts';
import type { Flock } from './provider.ts';

/** The native provider, which is the cheapest, if this machine has it; otherwise what others.ts finds (decision 089). */
export const chooseFlock = (wanted: string | undefined = process.env['GUARD_FLOCK']): Flock =>
  ((wanted || NATIVE) === NATIVE && nativeFlock()) || otherFlock(wanted);

const NATIVE = 'native';
