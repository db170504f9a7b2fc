/**
 * The real path of something that may not exist yet: the real path of its nearest existing ancestor plus the
 * rest, with dangling symlinks followed as the kernel would when it creates the file.
 */
import { dirname, resolve } from 'node:path';
import { isGuardError } from '../core/error.ts';
import { errnoOf, isAbsent } from './errno.ts';
import { existingRealPath, lstatOrAbsent, outsideProcesses } from './existing-path.ts';
import { pathError } from './path-error.ts';
import { walkedPath } from './walked-path.ts';

/**
 * A missing file below a directory without links on its path: nothing lies in between, so the text is already the
 * answer. Null if the path must be walked.
 */
function notThere(abs: string): string | null {
  let at = dirname(abs);
  let stat = lstatOrAbsent(at);
  while (stat === undefined && at !== dirname(at)) stat = lstatOrAbsent((at = dirname(at)));
  const isPlain = stat?.isSymbolicLink() === false && resolve(abs) === abs && existingRealPath(at) === at;
  return isPlain ? abs : null;
}

/**
 * `abs` is absolute. Throws GUARD_ERR_PATH for loops, unsearchable directories, names that are too long, and names that
 * lead through a process, directly or by a link.
 */
export function realPath(abs: string): string {
  outsideProcesses(abs);
  let real: string | null = null;
  try {
    // Checked first, because an error with its stack costs more than all other lookups.
    real = lstatOrAbsent(abs) === undefined ? notThere(abs) : existingRealPath(abs);
    // Without links in the path, the text is already the answer.
    if (real === abs) return real;
  } catch (error) {
    if (!isAbsent(errnoOf(error))) throw isGuardError(error) ? error : pathError(abs, errnoOf(error));
  }
  try {
    const walked = walkedPath(abs);
    return real ?? walked;
  } catch (error) {
    throw isGuardError(error) ? error : pathError(abs, errnoOf(error));
  }
}
