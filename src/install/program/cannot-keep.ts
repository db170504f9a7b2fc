import { GuardError, isGuardError } from '../../core/error.ts';
import { knownErrno } from '../../store/failure.ts';

/** What to throw if the program home cannot be written: an error that names it, unless `error` already explains itself. */
export function cannotKeep(home: string, error: unknown): unknown {
  const errno = knownErrno(error);
  if (errno === undefined || isGuardError(error)) return error;
  return new GuardError(
    'GUARD_ERR_IO',
    `Cannot keep guard in ${home}: ${errno}.`,
    'Free some space there, or make it writable for yourself, or set XDG_DATA_HOME to another directory of your own.',
    { home, errno },
    error,
  );
}
