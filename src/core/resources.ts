/**
 * What of a repository can be locked beside its files: `@git/stash`, `@git/index`, `@git/worktree`, `@git/refs/<name>`. The same
 * name in every directory; a file in a real directory `@git` is written `./@git/…`.
 */
import type { RepoPath } from './types.ts';

const ALL = /^@git\/(?:stash|refs\/[^/\0](?:[^\0]*[^/\0])?)$/;
/** Each checkout has its own. */
const OF_CHECKOUT = /^@git\/(?:index|worktree)$/;

export const RESOURCES =
  'no part of git that can be locked: @git/stash, @git/index, @git/worktree, @git/refs/<name>';

export const isResource = (name: string): boolean => name.startsWith('@git/');

/** Its key in the ledger; null for a name that means nothing. `worktree`: of the linked checkout that asks. */
export function resourcePath(name: string, worktree: string | null): RepoPath | null {
  if (ALL.test(name)) return name;
  if (!OF_CHECKOUT.test(name)) return null;
  return worktree === null ? name : `//${worktree}/${name}`;
}
