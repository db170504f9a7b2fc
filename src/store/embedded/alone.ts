/** Serialises changes to files next to the ledger that are read, modified and written back, using the ledger's lock. */
import { monotonic } from '../../repo/clock.ts';
import { chooseFlock } from '../flock/flock.ts';
import { LOCK_DEADLINE_MS, lockSync } from './lock.ts';

/** Not reentrant: `act` must not use the ledger in `dir`. @throws GuardError GUARD_ERR_BUSY at the deadline */
export function alone(dir: string, act: () => void, deadline_ms = LOCK_DEADLINE_MS): void {
  const held = lockSync({ dir, flock: chooseFlock(), deadline_ms, writable: true, mono_ms: monotonic });
  try {
    act();
  } finally {
    held.free();
  }
}
