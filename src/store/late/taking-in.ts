// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A shared ledger that takes in late events before anything else. */
import { isGuardError } from '../../core/error.ts';
import { hasLate } from '../embedded/files.ts';
import type { Store } from '../store.ts';

/** Late events come first, so that every look knows of writes that began under cached leases. */
export function takingIn(store: Store, state_dir: string, takeIn: (store: Store) => void): Store {
  const first = (): void => {
    if (hasLate(state_dir)) takeIn(store);
  };
  return {
    ...store,
    look(...asked) {
      try {
        first();
      } catch (error) {
        // An engine that is closed for writing still answers looks.
        if (!isGuardError(error) || error.code !== 'GUARD_ERR_BUSY') throw error;
      }
      return store.look(...asked);
    },
    commit(...asked) {
      first();
      return store.commit(...asked);
    },
  };
}
