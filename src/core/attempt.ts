/** What may fail as one expression, where its caller wants a value and no reason. */
import { type GuardError, isGuardError } from './error.ts';

/** `otherwise` stands for any failure: what cannot be looked at counts as that. */
export function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

/** `otherwise` stands for what guard itself refuses: anything else is a fault, and goes on. */
export const ifAllowed = <T>(run: () => T, otherwise: T): T => unlessRefused(run, () => otherwise);

/** Only what guard itself refuses: anything else is a fault, and goes on. */
export function unlessRefused<T>(run: () => T, refused: (error: GuardError) => T): T {
  try {
    return run();
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return refused(error);
  }
}
