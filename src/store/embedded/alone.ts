/** For files beside the ledger that are read, changed and written back: one process at a time, by the ledger's own lock. */
import { monotonic } from '../../repo/clock.ts';
import { chooseFlock } from '../flock/flock.ts';
import { LOCK_DEADLINE_MS, lockSync } from './lock.ts';

/** Does not nest, and nothing in `act` may use the ledger in `dir`. @throws GuardError GUARD_ERR_BUSY at the deadline */
export function alone(dir: string, act: () => void, deadline_ms = LOCK_DEADLINE_MS): void {
  const held = lockSync({ dir, flock: chooseFlock(), deadline_ms, writable: true, mono_ms: monotonic });
  try {
    act();
  } finally {
    held.free();
  }
}
