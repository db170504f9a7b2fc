/** Others have the ledger: of a wait that is one look that did not come about, and not its end. */
import { isGuardError } from '../core/error.ts';
import type { GuardError } from '../core/error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';

/** Undefined: others have it. */
export function unlessBusy<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}
