/** One event in one transaction, like `operate`, but without blocking the thread while others have the ledger. */
import { decide } from '../core/decide.ts';
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import type { Facts } from '../core/types.ts';
import type { EmbeddedStore, LockLimits } from './embedded/open.ts';

interface Place {
  readonly store: EmbeddedStore;
  facts(): Facts;
}

/** @throws GuardError GUARD_ERR_BUSY at the deadline, or when the signal is aborted first */
export function operateLater<T extends EventType>(
  place: Place,
  event: EventOf<T>,
  limits: LockLimits,
): Promise<Rules[T]['result']> {
  let now: Facts | null = null;
  return place.store.transact([], (view) => decide<T>(view, event, (now ??= place.facts())), limits);
}
