// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A shared ledger that confirms a commit only if the clone has not left it meanwhile. */
import { GuardError } from '../core/error.ts';
import { readInstall } from '../repo/install.ts';
import type { Store } from '../store/store.ts';

/** Whoever leaves writes down first that it has, and then ends what was granted before (cli/fleet/leave.ts). */
export const stillShared = (store: Store, state_dir: string, shared_as: string): Store => ({
  ...store,
  commit(...asked) {
    const done = store.commit(...asked);
    if (readInstall(state_dir).shared_as !== shared_as) throw left(state_dir);
    return done;
  },
});

const left = (state_dir: string): GuardError =>
  new GuardError(
    'GUARD_ERR_FLEET',
    'This clone has just left the shared ledger, so what was granted there does not count here.',
    'Try again.',
    { state_dir },
  );
