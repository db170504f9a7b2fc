/** Parses what the server answers. Its states are text there, so a client that may write them may write something that is not JSON. */
import { GuardError } from '../../core/error.ts';
import type { Server } from './engine-failure.ts';

/** @throws GuardError GUARD_ERR_CORRUPT, which no retry changes */
export function parsed(answer: unknown, { host, port }: Server): unknown {
  try {
    return JSON.parse(String(answer)) as unknown;
  } catch (error) {
    throw new GuardError(
      'GUARD_ERR_CORRUPT',
      `The shared ledger at ${host}:${port} contains a state that is not JSON, so guard did not write it.`,
      "The owner of the database can find it (since PostgreSQL 16: SELECT encode(key, 'escape') FROM guard.state WHERE state IS NOT JSON) and delete it.",
      { host, port },
      error,
    );
  }
}
