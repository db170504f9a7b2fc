import { existsSync } from 'node:fs';
import type { Target } from './canonical.ts';
import type { Repo } from './repo.ts';

/** Worktrees, or clones that joined. git removes the directory with the last worktree. */
export const hasWorktrees = ({ worktree, clone, common_dir, state_dir }: Repo): boolean =>
  (worktree ?? undefined) !== clone ||
  existsSync(`${common_dir ?? ''}/worktrees`) ||
  existsSync(`${state_dir}/clones`);

/** Whether the file may also exist under another name or in another checkout. */
export const isElsewhereToo = ({ links, repo }: Target): boolean => links > 1 || hasWorktrees(repo);
