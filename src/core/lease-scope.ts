/**
 * Where a file's leases are recorded: with the file itself or, while leases count in all checkouts, with the main
 * checkout's file. Clones on machines that share a ledger have names that begin with `~@`; a lease in a clone's main
 * checkout is on the repository's path.
 */
import type { Key } from './ledger.ts';
import type { Changes } from './states.ts';
import type { RepoPath } from './types.ts';

/** Has a state while leases count in all checkouts (rules/scope-change.ts). */
export const SCOPE: Key = 'scope:';

export const isTogether = (changes: Pick<Changes, 'get'>): boolean => Boolean(changes.get(SCOPE));

/** The same file in the main checkout. */
export const inMain = (path: RepoPath): RepoPath => path.replace(/^\/\/[^/]+\//, '');

export const leaseIn = (changes: Pick<Changes, 'get'>, path: RepoPath): RepoPath =>
  // Few paths begin like this; for all others no pattern needs to be compiled.
  path.startsWith('//') ? path.replace(isTogether(changes) ? /^\/\/[^/]+\// : /^\/\/~@[^/~]+\//, '') : path;

/** A file in the main checkout of a machine's clone, by the path that all machines use. */
export const inRepository = (path: RepoPath): RepoPath => path.replace(/^\/\/~@[^/~]+\//, '');
