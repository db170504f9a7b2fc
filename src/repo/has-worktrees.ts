import { existsSync } from 'node:fs';
import type { Target } from './canonical.ts';
import type { Repo } from './repo.ts';

/** Or clones that joined. The directory goes with the last of them. */
export const hasWorktrees = ({ worktree, clone, common_dir, state_dir }: Repo): boolean =>
  (worktree ?? undefined) !== clone ||
  existsSync(`${common_dir ?? ''}/worktrees`) ||
  existsSync(`${state_dir}/clones`);

/** Under another name, or in another checkout. */
export const isElsewhereToo = ({ links, repo }: Target): boolean => links > 1 || hasWorktrees(repo);
