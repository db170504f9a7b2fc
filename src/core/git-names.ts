/**
 * What git has once for a whole repository or checkout, as names that can be locked: `@git/stash`, `@git/config`, `@git/worktrees`,
 * `@git/refs/heads/main`, `@git/index`, `@git/worktree`. In the ledger they are written with two slashes, which no file's path has, so a real
 * directory `@git` is another thing; it is spelled `./@git/…`.
 */
import { shadowOf } from './shadow.ts';
import type { RepoPath } from './types.ts';

const SERVER = '@git';

/** The index and the checked out files are a linked worktree's own; stash and refs belong to all, but each clone that joined has its own. */
export function gitName(name: string, worktree: string | null): RepoPath {
  const isOwn = name === 'index' || name === 'worktree';
  const whose = isOwn ? worktree : /^~[^~]+/.exec(worktree ?? '')?.[0];
  return shadowOf(SERVER, whose ? `${name}/${whose}` : name);
}

/** What somebody typed; null: an ordinary path. */
export function asGitName(given: string, worktree: string | null): RepoPath | null {
  const [, name] =
    /^@git\/((?:stash|config|worktrees|refs\/(?:heads|tags|remotes)\/[^\s~^:?*[\\]+?)(?:\/~[^/~]+)?|(?:index|worktree)(?:\/[^/]+)?)$/.exec(
      given,
    ) ?? [];
  return name === undefined ? null : gitName(name, name.includes('/~') ? null : worktree);
}

export const isGitName = (path: RepoPath): boolean => path.startsWith(`${SERVER}//`);

/** As it is typed; null: an ordinary path. */
export const spelledGitName = (path: RepoPath): string | null =>
  isGitName(path) ? `${SERVER}/${path.slice(SERVER.length + 2)}` : null;
