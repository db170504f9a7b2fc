/** One use of the ledger: opened under a lock that the caller holds and frees, and closed in any case. */
import type { Now } from '../../core/types.ts';
import { asFailure, isIndexAnomaly } from '../failure.ts';
import { corrupt } from '../told-failure.ts';
import { attach, type AttachOptions, RECOVERY_LEVELS } from './attach.ts';
import { closeFiles, type LedgerFiles } from './ledger.ts';
import type { Home } from './home-identity.ts';
import type { Remembered } from './remembered.ts';
import type { Held } from './lock.ts';

/** A store's directory and how to write to it. */
export interface StorePlace {
  readonly dir: string;
  readonly now: () => Now;
  readonly durable: boolean;
  readonly segment_bytes: number;
  readonly remembered?: Remembered | undefined;
  /** Records what others could not, before anything else is read. Runs rules. Absent if another caller takes care of it. */
  readonly takeIn?: (place: StorePlace, held: Held) => void;
}

export const optionsOf = (place: StorePlace, home: Home, writable: boolean): AttachOptions => {
  const { dir, durable, segment_bytes, remembered } = place;
  return { dir, writable, durable, segment_bytes, remembered, now: place.now(), home };
};

export function useLedger<T>(
  place: StorePlace,
  held: Held,
  writable: boolean,
  use: (ledger: LedgerFiles, options: AttachOptions) => T,
): T {
  const { dir } = place;
  try {
    return useBelieved(optionsOf(place, held.home, writable), use);
  } catch (error) {
    throw asFailure(error, `use the ledger in ${dir}`, { path: dir });
  }
}

/**
 * A damaged page, or a slot that points nowhere, shows when the ledger is opened or only when it is used; then the
 * next attempt trusts less. The step cannot have written anything by then, because `append` does not report
 * anomalies that it meets after its write.
 */
function useBelieved<T>(options: AttachOptions, use: (ledger: LedgerFiles, options: AttachOptions) => T): T {
  for (const belief of RECOVERY_LEVELS) {
    let ledger: LedgerFiles | undefined;
    try {
      ledger = attach(options, belief);
      return use(ledger, options);
    } catch (error) {
      if (!isIndexAnomaly(error)) throw error;
    } finally {
      if (ledger !== undefined) {
        options.remembered?.keep(ledger);
        closeFiles(ledger);
      }
    }
  }
  throw corrupt('the index cannot be built', { reason: 'index', path: options.dir });
}
