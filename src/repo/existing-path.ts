/** The part of a path that exists. */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { errnoOf, isAbsent } from './errno.ts';
import { pathError } from './path-error.ts';

/** Node decodes names that are not UTF-8 to U+FFFD: two files would share one name, and neither would be found. */
export function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) throw pathError(text, 'not_utf8');
  return text;
}

export function existingRealPath(path: string): string {
  const real = realpathSync.native(path);
  return real.includes('\uFFFD') ? decoded(realpathSync.native(path, { encoding: 'buffer' })) : real;
}

export function lstatOrAbsent(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Nothing exists below a regular file: ENOTDIR, which throwIfNoEntry does not cover.
    if (isAbsent(errnoOf(error))) return undefined;
    throw error;
  }
}

/**
 * Names that mean one thing to guard and another to the process that opens the file: a process's directories and open
 * files. Matched regardless of case; if case matters, nothing exists under the other spellings.
 */
const OF_PROCESS =
  /^\/(?:proc\/(?:(?:thread-)?self|.+\/(?:cwd|root|fd))|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/i;

/** Few paths begin like this; for all others the pattern need not be compiled. */
const MAY_BE = new Set(['d', 'D', 'p', 'P']);

export function outsideProcesses(path: string): string {
  if (MAY_BE.has(path.charAt(1)) && OF_PROCESS.test(path)) throw pathError(path, 'of_process');
  return path;
}
