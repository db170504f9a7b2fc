// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What a path of the ledger is called on disk: absolute, so that a command with it works in every directory and checkout. */
import { dirname, join, resolve } from 'node:path';
import { spelledGitName } from '../core/git-names.ts';
import type { RepoPath } from '../core/types.ts';
import type { Repo } from './locate.ts';
import { textOf } from './small-file.ts';

/** A path of a checkout that cannot be found (removed, or not known to git) stays as it is. */
export const spelledAt =
  (repo: Pick<Repo, 'root' | 'common_dir' | 'worktree'>) =>
  (path: RepoPath): string => {
    const name = spelledGitName(path);
    if (name !== null) return name;
    if (!path.startsWith('/')) return within(mainRoot(repo), path) ?? path;
    const [, linked, below = ''] = /^\/\/([^/]+)\/(.*)$/s.exec(path) ?? [];
    return linked === undefined ? path : (within(rootOf(repo, linked), below) ?? path);
  };

/** A path of the ledger has nothing that `join` would take out, which costs three times as much. */
const within = (root: string | null, path: RepoPath): string | null =>
  root === null || path === '.' || root.endsWith('/') ? root && join(root, path) : `${root}/${path}`;

/** Elsewhere than beside its `.git` only its own configuration says where the main checkout is. */
function mainRoot({
  root,
  common_dir,
  worktree,
}: Pick<Repo, 'root' | 'common_dir' | 'worktree'>): string | null {
  if (worktree === null) return root;
  return common_dir !== null && /[\\/]\.git$/.test(common_dir) ? dirname(common_dir) : null;
}

const rootOf = (
  { root, common_dir, worktree }: Pick<Repo, 'root' | 'common_dir' | 'worktree'>,
  id: string,
): string | null => (id === worktree ? root : common_dir === null ? null : linkedRoot(common_dir, id));

/** Git notes where the `.git` file of each linked worktree is; since 2.48 also relative to that note. */
export function linkedRoot(common_dir: string, id: string): string | null {
  const dir = join(common_dir, 'worktrees', id);
  const noted = textOf(join(dir, 'gitdir'))?.split('\n')[0];
  return noted === undefined || noted === '' ? null : dirname(resolve(dir, noted));
}
