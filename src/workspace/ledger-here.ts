/** The ledger of a repository, either this machine's own or a shared one (docs/fleet.md), with this machine's role in it. */
import { type LocalConfig, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import type { Named } from './named.ts';
import { amongMachines, type SeenHere, type SharedPlace } from './shared-ledger.ts';

export interface LedgerHereOptions
  extends Omit<SharedPlace, 'shared_as'>, Omit<LocalConfig, 'dir' | 'lock_deadline_ms'> {
  /** Absent: the ledger is this machine's own. */
  readonly shared_as: string | undefined;
}

export interface LedgerHere<F> {
  readonly store: Store;
  readonly facts: () => F;
  /** The id that an event commits under, if it needs one. */
  readonly named?: Named | undefined;
}

/**
 * Touches nothing until it is used.
 * @param own this machine's facts, on its own clock
 */
export const ledgerHere = <F extends SeenHere>(
  { shared_as, ...place }: LedgerHereOptions,
  own: () => F,
): LedgerHere<F> =>
  shared_as
    ? amongMachines({ ...place, shared_as }, own, openStore)
    : { store: openStore({ ...place, dir: place.state_dir }), facts: own, named: place.named };
