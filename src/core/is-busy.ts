/** Another process holds the ledger or its lock: nothing was done, and a retry may succeed soon. */
import { type GuardError, isGuardError } from './error.ts';

export const isBusy = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_BUSY';

/** Nothing can be written until disk space is freed. */
export const isDiskFull = (error: unknown): boolean => isGuardError(error) && error.code === 'GUARD_ERR_FULL';

/** For one look of a wait: a busy ledger skips the look instead of ending the wait. Returns `undefined` if busy. */
export function unlessBusy<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** For a wait's own notices, which are not worth waiting for: skipped if the ledger is busy or the disk is full. */
export const unlessHindered = <T>(say: () => T): T | undefined => unlessFull(() => unlessBusy(say));

/** For work that another process or the next look can do once there is space. `undefined` if the disk is full. */
export function unlessFull<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isDiskFull(error)) return undefined;
    throw error;
  }
}
