/** The checkouts of a repository as they are now; they may have moved since `guard init`. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { GuardError } from '../core/error.ts';
import { readGitDir } from '../repo/git-dir.ts';
import type { Repo } from '../repo/locate.ts';
import { realPath } from '../repo/real-path.ts';
import { textOf } from '../repo/small-file.ts';

/** Canonical directories by name: `.` the main checkout, `.git` the shared git directory, else the id of a linked worktree. */
export type Roots = Readonly<Record<string, string>>;

const MAIN = '.';
const GIT = '.git';

type Place = Pick<Repo, 'root' | 'common_dir' | 'worktree'>;

/** Only those that point back to it: in a copy, git's list names the worktrees of the original. */
export function rootsOf({ root, common_dir, worktree }: Place): Roots {
  if (common_dir === null) return { [MAIN]: root };
  const beside = basename(common_dir) === GIT ? dirname(common_dir) : null;
  const main = worktree === null ? root : beside;
  return { ...(main === null ? {} : { [MAIN]: main }), [GIT]: common_dir, ...linkedTo(common_dir) };
}

function linkedTo(common_dir: string): Roots {
  const dir = join(common_dir, 'worktrees');
  const found = (existsSync(dir) ? readdirSync(dir) : []).flatMap((id) => {
    const dot_git = textOf(join(dir, id, 'gitdir'))?.replace(/[\r\n]+$/, '');
    if (dot_git === undefined) return [];
    const root = realPath(dirname(resolve(join(dir, id), dot_git)));
    const git = readGitDir(root);
    return git?.known === true && git.common_dir === common_dir ? [[id, root] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * In a copied directory whose `.git` is a file, that file leads to the original's git directory, so undoing something there
 * would undo it for the original.
 * @throws GuardError GUARD_ERR_STATE_DIR
 */
export function refuseCopy(repo: Place, then: Roots): void {
  const { root, common_dir, worktree } = repo;
  if (common_dir === null) return;
  const original =
    worktree === null
      ? then[MAIN]
      : readGitDir(root)?.known === true
        ? root
        : (rootsOf(repo)[MAIN] ?? common_dir);
  if (original === undefined || original === root) return;
  if (worktree === null && readGitDir(original)?.common_dir !== common_dir) return;
  throw new GuardError(
    'GUARD_ERR_STATE_DIR',
    `${root} is not a checkout that its repository knows: its git directory, ${common_dir}, is that of ${original}.`,
    `Nothing was changed. Run the command in ${original}. If it is a worktree that was moved, run: git worktree repair`,
    { dir: root, original },
  );
}
