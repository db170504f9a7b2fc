// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Messages for when the engine was not asked or did not answer. */
import { GuardError } from '../core/error.ts';
import type { Lsn } from '../core/ledger.ts';
import type { RepoPath } from '../core/types.ts';
import type { CachedLease } from './lease-cache.ts';

const SHOWN = 5;

/** The same failure, with what is known here. */
export function explained(error: GuardError, leases: readonly CachedLease[]): GuardError {
  const told = leases.map(
    ({ path, holder, left_ms }) => `${path} is held by ${holder} for ${Math.floor(left_ms / 1000)} s more`,
  );
  const known =
    told.length === 0
      ? 'This machine has no cached lease that is still valid.'
      : `Cached on this machine: ${told.slice(0, SHOWN).join('; ')}.`;
  const facts = { ...error.facts, leases: leases.length };
  return new GuardError(error.code, `${error.message} ${known}`, error.hint, facts, error);
}

/** Marks a write that begins under cached leases, which is recorded later. Only displayed if it cannot be left for later. */
export const unasked = (tokens: Readonly<Record<RepoPath, Lsn>>): GuardError =>
  new GuardError(
    'GUARD_ERR_ENGINE_AWAY',
    'The shared ledger was not asked about this write, and its beginning could not be recorded on this machine.',
    'Check whether the disk is full.',
    { tokens: JSON.stringify(tokens) },
  );
