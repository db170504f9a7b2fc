import type { RepoPath } from './types.ts';

/** Files and agents of a foreign lock server, in their own namespace: `mala-locking//src/a.ts`. */
export const shadowOf = (server: string, name: string): string => `${server}//${name}`;

/** A repository's path has an empty part only at its beginning. What git has once (git-names.ts) is guard's own. */
export const isShadow = (path: RepoPath): boolean => path.indexOf('//', 1) > 0 && !path.startsWith('@git//');

/** The name without its server. */
export const nameInShadow = (path: RepoPath): string => path.slice(path.indexOf('//', 1) + 2);
