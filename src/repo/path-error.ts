// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The errors for paths that cannot name a file. */
import { GuardError } from '../core/error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'its symbolic links form a loop',
  EACCES: 'a directory in it cannot be searched',
  ENAMETOOLONG: 'it, or one of its components, is too long for the file system',
  no_directory: 'it is relative, and the working directory was removed',
  of_process: 'it names something different in each process',
  not_utf8: 'one of its components is not valid UTF-8, so it cannot be told apart from other names',
};

export function pathError(given: string, reason: string): GuardError {
  const shown = given.length > 200 ? `${given.slice(0, 200)}…` : given;
  return new GuardError(
    'GUARD_ERR_PATH',
    `The path ${JSON.stringify(shown)} cannot be used: ${REASONS[reason] ?? reason}.`,
    reason === 'no_directory'
      ? 'Start again from a directory that exists.'
      : 'Use a path to a regular file that this user can reach.',
    { path: shown, reason },
  );
}
