/**
 * flock(2), exclusive and non-blocking, by whatever can call it on this machine. Every provider takes the
 * same kernel lock on the same file, so processes that use different ones exclude each other. Without any:
 * GUARD_ERR_NO_FLOCK, and nothing is written.
 *
 * `GUARD_FLOCK` names one provider (tests, and people who want to know); an unknown or unusable name is an
 * error, never another lock.
 */
import { nativeFlock } from './native.ts';
import { otherFlock } from './others.ts';
import type { Flock } from './provider.ts';

/** The cheapest where this machine has it, else what others.ts finds (decision 089). */
export const chooseFlock = (wanted: string | undefined = process.env['GUARD_FLOCK']): Flock =>
  ((wanted || NATIVE) === NATIVE && nativeFlock()) || otherFlock(wanted);

const NATIVE = 'native';
