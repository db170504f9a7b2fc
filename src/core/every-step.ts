/** Steps that must not be left out because one before them failed. */
import { type GuardError, isGuardError } from './error.ts';

/** @throws guard's first refusal, after the last step; any other error is a fault and is thrown immediately */
export function everyStep(...steps: readonly (() => unknown)[]): void {
  let first: GuardError | undefined;
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      if (!isGuardError(error)) throw error;
      first ??= error;
    }
  }
  if (first !== undefined) throw first;
}
