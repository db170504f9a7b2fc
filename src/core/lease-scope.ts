/**
 * Where the leases of a file are: with the file, or, while they count in all checkouts, with the main checkout's. Clones on several
 * machines that share a ledger have names that begin with `~@`; a lease in the main checkout of one is on the repository's path.
 */
import type { Key } from './ledger.ts';
import type { Changes } from './states.ts';
import type { RepoPath } from './types.ts';

/** Has a state while leases count in all checkouts (rules/scope-change.ts). */
export const SCOPE: Key = 'scope:';

export const isTogether = (changes: Pick<Changes, 'get'>): boolean => Boolean(changes.get(SCOPE));

/** The same file of the main checkout. */
export const inMain = (path: RepoPath): RepoPath => path.replace(/^\/\/[^/]+\//, '');

export const leaseIn = (changes: Pick<Changes, 'get'>, path: RepoPath): RepoPath =>
  path.replace(isTogether(changes) ? /^\/\/[^/]+\// : /^\/\/~@[^/~]+\//, '');

/** A file of the main checkout of a machine's clone, as all machines call it. */
export const inRepository = (path: RepoPath): RepoPath => path.replace(/^\/\/~@[^/~]+\//, '');
