/** Others have the ledger, or what guards it: nothing was done, and the same may go through in a moment. */
import { type GuardError, isGuardError } from './error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';

/** Nothing can be written until somebody has made room. */
export const isDiskFull = (error: unknown): boolean => isGuardError(error) && error.code === 'GUARD_ERR_FULL';

/** Of a wait that is one look that did not come about, and not its end. Undefined: others have it. */
export function unlessBusy<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Of what a wait says of itself, which is worth no wait: others have it, or the disk is full. */
export const unlessHindered = <T>(say: () => T): T | undefined => unlessFull(() => unlessBusy(say));

/** What somebody else, or the next look, does when there is room. Undefined: the disk is full. */
export function unlessFull<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isDiskFull(error)) return undefined;
    throw error;
  }
}
