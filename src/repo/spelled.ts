// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The absolute path on disk of a path in the ledger, so that a command with it works in every directory and checkout. */
import { dirname, join } from 'node:path';
import { spelledGitName } from '../core/git-names.ts';
import type { RepoPath } from '../core/types.ts';
import { ledgerHolder } from './clones.ts';
import type { Repo } from './repo.ts';
import { rootInLedger } from './other-checkouts.ts';

type Where = Pick<Repo, 'root' | 'common_dir' | 'worktree' | 'state_dir' | 'joined' | 'clone'>;

/** A path in a checkout that cannot be found (removed, or not known to git) is returned unchanged. */
export const spelledAt =
  (repo: Where) =>
  (path: RepoPath): string => {
    const name = spelledGitName(path);
    if (name !== null) return name;
    if (!path.startsWith('/')) return within(mainRoot(repo), path) ?? path;
    const [, linked, below = ''] = /^\/\/([^/]+)\/(.*)$/s.exec(path) ?? [];
    return linked === undefined ? path : (within(rootOf(repo, linked), below) ?? path);
  };

/** Ledger paths contain nothing that `join` would remove, and `join` costs three times as much. */
const within = (root: string | null, path: RepoPath): string | null =>
  root === null || path === '.' || root.endsWith('/') ? root && join(root, path) : `${root}/${path}`;

/** If the git directory is not a `.git` in its checkout, only its configuration says where the main checkout is. */
function mainRoot(repo: Where): string | null {
  if (repo.worktree === null || repo.worktree === repo.clone) return repo.root;
  const holder = ledgerHolder(repo);
  return holder !== null && /[\\/]\.git$/.test(holder) ? dirname(holder) : null;
}

const rootOf = (repo: Where, id: string): string | null =>
  id === repo.worktree ? repo.root : rootInLedger(repo, id);
