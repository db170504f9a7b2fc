import { existsSync } from 'node:fs';
import type { Target } from './canonical.ts';
import type { Repo } from './locate.ts';

/** Git removes the directory with the last of them. */
export const hasWorktrees = ({ worktree, common_dir }: Repo): boolean =>
  worktree !== null || existsSync(`${common_dir ?? ''}/worktrees`);

/** Under another name, or in another checkout. */
export const isElsewhereToo = ({ links, repo }: Target): boolean => links > 1 || hasWorktrees(repo);
