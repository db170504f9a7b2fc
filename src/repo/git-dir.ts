/**
 * Interprets a `.git` entry without running git, which would cost a hook 3 to 5 ms.
 *
 * - a directory: the git directory itself;
 * - a file `gitdir: <path>`: a submodule or a `--separate-git-dir` checkout (without a `commondir` file, it is its
 *   own common directory), or a linked worktree (its `commondir` file names the shared directory).
 *
 * Formats: gitrepository-layout(5), gitfile in gitglossary(7), git-worktree(1) "DETAILS".
 */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { errnoOf, isAbsent } from './errno.ts';
import { textOf } from './small-file.ts';

export interface GitDir {
  /** Shared by all worktrees of a repository; canonical. */
  readonly common_dir: string;
  /** Directory name below `<common_dir>/worktrees`, for a linked worktree. */
  readonly worktree: string | null;
  /**
   * Whether the repository knows this linked worktree, that is, `<common_dir>/worktrees/<id>/gitdir` points back to
   * this `.git` file. Without this check, any `.git` file dropped into a sub-directory would give the files below it a
   * second name.
   */
  readonly known: boolean;
}

/** If in doubt, true: a marker that cannot be examined must not switch guard off. */
export function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !isAbsent(errnoOf(error));
  }
}

const isSameFile = (a: string, b: string): boolean =>
  attempt(() => {
    const [left, right] = [statSync(a, { bigint: true }), statSync(b, { bigint: true })];
    return left.dev === right.dev && left.ino === right.ino;
  }, false);

/** The git directory of a checkout; `worktree` is null or '' for the main one. */
export const gitDirOf = (common_dir: string, worktree: string | null): string =>
  worktree === null || worktree === '' ? common_dir : join(common_dir, 'worktrees', worktree);

const realOrNull = (path: string): string | null => attempt(() => realpathSync.native(path), null);

/** git ends these one-line files with a newline; the path itself may contain any other character. */
const firstPath = (text: string): string => text.replace(/[\r\n]+$/, '');

/** `HEAD` distinguishes a git directory from a stray one; a state directory in it counts even if everything else is broken. */
const isGitDir = (dir: string): boolean => isPresent(join(dir, 'HEAD')) || isPresent(join(dir, 'guard'));

function followGitFile(dot_git: string): GitDir | null {
  const text = textOf(dot_git);
  if (text?.startsWith('gitdir: ') !== true) return null;
  const git_dir = realOrNull(resolve(dirname(dot_git), firstPath(text.slice('gitdir: '.length))));
  if (git_dir === null || !isGitDir(git_dir)) return null;
  const common = textOf(join(git_dir, 'commondir'));
  if (common === null) return { common_dir: git_dir, worktree: null, known: false };
  const common_dir = realOrNull(resolve(git_dir, firstPath(common)));
  if (common_dir === null) return null;
  const back = textOf(join(git_dir, 'gitdir'));
  const known =
    git_dir === gitDirOf(common_dir, basename(git_dir)) &&
    back !== null &&
    isSameFile(resolve(git_dir, firstPath(back)), dot_git);
  return { common_dir, worktree: basename(git_dir), known };
}

/** The git directory of the checkout whose root is `dir`; null if `dir` is not the root of a checkout. */
export function readGitDir(dir: string): GitDir | null {
  const dot_git = join(dir, '.git');
  let stat;
  try {
    stat = statSync(dot_git, { throwIfNoEntry: false });
  } catch {
    return null;
  }
  if (stat === undefined) return null;
  if (stat.isFile()) return followGitFile(dot_git);
  if (!stat.isDirectory() || !isGitDir(dot_git)) return null;
  const common_dir = realOrNull(dot_git);
  return common_dir === null ? null : { common_dir, worktree: null, known: false };
}
