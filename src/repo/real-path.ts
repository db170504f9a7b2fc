/**
 * The real path of something that may not exist yet: the real path of its nearest existing ancestor plus the
 * rest, with dangling symlinks followed as the kernel would when it creates the file.
 */
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isGuardError } from '../core/error.ts';
import { errnoOf, isAbsent } from './errno.ts';
import { pathError } from './path-error.ts';

/** The kernel's limit (path_resolution(7)). */
const MAX_LINKS = 40;

/** Node decodes names that are not UTF-8 to U+FFFD: two files would share one name, and neither would be found. */
function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) throw pathError(text, 'not_utf8');
  return text;
}

function existingRealPath(path: string): string {
  const real = realpathSync.native(path);
  return real.includes('\uFFFD') ? decoded(realpathSync.native(path, { encoding: 'buffer' })) : real;
}

function lstatOrAbsent(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Nothing exists below a regular file: ENOTDIR, which throwIfNoEntry does not cover.
    if (isAbsent(errnoOf(error))) return undefined;
    throw error;
  }
}

const split = (path: string): string[] =>
  path
    .split(sep)
    .filter((part) => part !== '' && part !== '.')
    .reverse();

/**
 * Names that mean one thing to guard and another to the process that opens the file: a process's directories and open
 * files. Matched regardless of case; if case matters, nothing exists under the other spellings.
 */
const OF_PROCESS =
  /^\/(?:proc\/(?:(?:thread-)?self|.+\/(?:cwd|root|fd))|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/i;

/** Few paths begin like this; for all others the pattern need not be compiled. */
const MAY_BE = new Set(['d', 'D', 'p', 'P']);

function settled(path: string): string {
  if (MAY_BE.has(path.charAt(1)) && OF_PROCESS.test(path)) throw pathError(path, 'of_process');
  return path;
}

/** Processes the path part by part. `pending` is a stack, on which a link is replaced by the parts of its target. */
function walk(abs: string): string {
  const root = parse(abs).root;
  const pending = split(abs.slice(root.length));
  const rest: string[] = [];
  let existing = root;
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '..') {
      if (rest.pop() === undefined) existing = dirname(existing);
      continue;
    }
    const next = settled(join(existing, part));
    const stat = rest.length > 0 ? undefined : lstatOrAbsent(next);
    if (stat === undefined) {
      rest.push(part);
    } else if (stat.isSymbolicLink()) {
      if (++links > MAX_LINKS) throw pathError(abs, 'ELOOP');
      const target = decoded(readlinkSync(next, { encoding: 'buffer' }));
      if (isAbsolute(target)) existing = parse(target).root;
      pending.push(...split(isAbsolute(target) ? target.slice(existing.length) : target));
    } else {
      existing = next;
    }
  }
  // Resolve again through the system, which knows the spelling on disk if the file system folds names.
  return join(existingRealPath(existing), ...rest);
}

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
  settled(abs);
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
    const walked = walk(abs);
    return real ?? walked;
  } catch (error) {
    throw isGuardError(error) ? error : pathError(abs, errnoOf(error));
  }
}
