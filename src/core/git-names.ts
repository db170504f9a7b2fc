/**
 * What git has once per repository or checkout, as names that can be locked: `@git/stash`, `@git/config`,
 * `@git/worktrees`, `@git/refs/heads/main`, `@git/index`, `@git/worktree`. The ledger writes them with two slashes,
 * which no file's path has, so a real directory `@git` is something else; it is spelled `./@git/…`.
 */
import { shadowOf } from './shadow.ts';
import type { RepoPath } from './types.ts';

const SERVER = '@git';

/** Each linked worktree has its own index and checked-out files; stash and refs are one per (joined) clone. */
export function gitName(name: string, worktree: string | null): RepoPath {
  const isOwn = name === 'index' || name === 'worktree';
  const whose = isOwn ? worktree : /^~[^~]+/.exec(worktree ?? '')?.[0];
  return shadowOf(SERVER, whose ? `${name}/${whose}` : name);
}

/** Parses a name as typed; `null` for an ordinary path. */
export function asGitName(given: string, worktree: string | null): RepoPath | null {
  const [, name] =
    /^@git\/((?:stash|config|worktrees|refs\/(?:heads|tags|remotes)\/[^\s~^:?*[\\]+?)(?:\/~[^/~]+)?|(?:index|worktree)(?:\/[^/]+)?)$/.exec(
      given,
    ) ?? [];
  return name === undefined ? null : gitName(name, name.includes('/~') ? null : worktree);
}

export const isGitName = (path: RepoPath): boolean => path.startsWith(`${SERVER}//`);

/** The name as it is typed; `null` for an ordinary path. */
export const spelledGitName = (path: RepoPath): string | null =>
  isGitName(path) ? `${SERVER}/${path.slice(SERVER.length + 2)}` : null;
