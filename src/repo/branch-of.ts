import { join } from 'node:path';
import { textOf } from './small-file.ts';

/** The branch that a checkout has, without a git process; null: none, or not known. @param worktree '' is the main checkout */
export function branchOf(common_dir: string | null, worktree: string): string | null {
  if (common_dir === null) return null;
  const dir = worktree === '' ? common_dir : join(common_dir, 'worktrees', worktree);
  return /^ref: refs\/heads\/(.+)/.exec(textOf(join(dir, 'HEAD')) ?? '')?.[1] ?? null;
}
