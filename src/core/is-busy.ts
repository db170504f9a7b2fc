/** Others have the ledger, or what guards it: nothing was done, and the same may go through in a moment. */
import { type GuardError, isGuardError } from './error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';
