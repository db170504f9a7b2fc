/** Others have the ledger, or what guards it: nothing was done, and the same may go through in a moment. */
import { isGuardError } from './error.ts';
import type { GuardError } from './error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';
