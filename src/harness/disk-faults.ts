/** Failures of a disk: some of them end when there is space again. */
import { GuardError, isGuardError } from '../core/error.ts';
import { isDiskFull } from '../core/is-busy.ts';
import { errnoOf } from '../repo/errno.ts';

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];

/** Of the disk itself, or as guard reports it. */
export const isOutOfSpace = (error: unknown): boolean => isDiskFull(error) || FULL.includes(errnoOf(error));

/** A full or read-only disk, or something else in the directory's place, is reported as such, not as a bug in guard. */
export function namingDiskFaults<T>(dir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isGuardError(error) || errnoOf(error) === 'unknown') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    // Not a fault of the task: what failed may work as soon as there is space.
    if (isOutOfSpace(error))
      throw new GuardError(
        'GUARD_ERR_FULL',
        `The disk of ${dir} is full.`,
        'Free some space, then try again.',
        { dir, reason },
      );
    const hint = 'It has to be a directory that you can write to, on a disk with free space.';
    throw new GuardError('GUARD_ERR_INPUT', `${dir} cannot be used: ${reason}.`, hint, { dir, reason });
  }
}
