/** Turns a call that may throw into an expression, for callers that need a value but not the reason. */
import { type GuardError, isGuardError } from './error.ts';

/** Returns `otherwise` on any failure. */
export function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

/** Returns `otherwise` if guard itself refuses; any other error is a fault and is rethrown. */
export const ifAllowed = <T>(run: () => T, otherwise: T): T => unlessRefused(run, () => otherwise);

/** Calls `refused` only for guard's own refusals; any other error is a fault and is rethrown. */
export function unlessRefused<T>(run: () => T, refused: (error: GuardError) => T): T {
  try {
    return run();
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return refused(error);
  }
}
