// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The errors for paths that cannot name a file. */
import { GuardError } from '../core/error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'its symbolic links form a loop',
  EACCES: 'a directory on the way to it may not be searched',
  ENAMETOOLONG: 'it, or one of its parts, is too long for the file system',
  of_process: 'what it names differs from process to process',
  not_utf8: 'the name of a part of it is not valid UTF-8, so it cannot be told from other names',
};

export function pathError(given: string, reason: string): GuardError {
  const shown = given.length > 200 ? `${given.slice(0, 200)}…` : given;
  return new GuardError(
    'GUARD_ERR_PATH',
    `The path ${JSON.stringify(shown)} cannot be used: ${REASONS[reason] ?? reason}.`,
    'Use a path to a regular file that this user can reach.',
    { path: shown, reason },
  );
}
