import { GuardError, isGuardError } from '../../core/error.ts';
import { knownErrno } from '../../store/failure.ts';

/** What to throw if the program home cannot be written: an error that names it, unless `error` already explains itself. */
export function cannotKeep(home: string, error: unknown): unknown {
  // The store's hint is about the state directory, which is another one.
  const cause = isGuardError(error) && error.code === 'GUARD_ERR_IO' ? error.cause : error;
  const errno = knownErrno(cause);
  if (errno === undefined || isGuardError(cause)) return error;
  return new GuardError(
    'GUARD_ERR_IO',
    `Cannot keep guard in ${home}: ${errno}.`,
    'Free some space there, or make it writable for yourself, or set XDG_DATA_HOME to another directory of your own.',
    { home, errno },
    error,
  );
}
