/** Which checkout a git command works on, found as git does, but without running it. */
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { gitDirOf, readGitDir } from '../repo/git-dir.ts';
import { realPath } from '../repo/real-path.ts';
import { textOf } from '../repo/small-file.ts';
import type { GitWords } from './words.ts';

export interface GitCheckout {
  /** Where the command runs. */
  readonly cwd: string;
  /** Root of the checkout, then its own git directory, then the one that all its worktrees share. */
  readonly root: string;
  readonly git_dir: string;
  readonly common_dir: string;
  /** Id of a linked worktree; null: the main checkout. */
  readonly worktree: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Null: there is none. */
export function checkoutOf(
  { cwd, git_dir, work_tree }: Pick<GitWords, 'cwd' | 'git_dir' | 'work_tree'>,
  variables: Variables,
): GitCheckout | null {
  const at = cwd === null ? null : real(cwd);
  if (at === null) return null;
  const named = git_dir ?? variables['GIT_DIR'];
  const tree = work_tree ?? variables['GIT_WORK_TREE'];
  const root = tree === undefined || tree === '' ? null : real(resolve(at, tree));
  if (named !== undefined && named !== '') return namedCheckout(at, resolve(at, named), root ?? at);
  const found = above(at);
  return found === null ? null : { ...found, cwd: at, root: root ?? found.root };
}

function namedCheckout(cwd: string, named: string, root: string): GitCheckout | null {
  const git_dir = real(named);
  if (git_dir === null) return null;
  const common = textOf(join(git_dir, 'commondir'))?.trim();
  const common_dir = common === undefined ? git_dir : (real(resolve(git_dir, common)) ?? git_dir);
  const worktree = common === undefined ? null : (git_dir.split('/').at(-1) ?? null);
  return { cwd, root, git_dir, common_dir, worktree };
}

function above(start: string): Omit<GitCheckout, 'cwd'> | null {
  for (let dir = start; ; dir = dirname(dir)) {
    const git = readGitDir(dir);
    if (git !== null) {
      const { common_dir, worktree } = git;
      const git_dir = gitDirOf(common_dir, worktree);
      return { root: dir, git_dir, common_dir, worktree };
    }
    if (dirname(dir) === dir) return null;
  }
}

const real = (path: string): string | null => attempt(() => realPath(path), null);
