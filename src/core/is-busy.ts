/** Others have the ledger, or what guards it: nothing was done, and the same may go through in a moment. */
import { type GuardError, isGuardError } from './error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';

/** Of a wait that is one look that did not come about, and not its end. Undefined: others have it. */
export function unlessBusy<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}
