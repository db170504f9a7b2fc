/** Others have the ledger: of a wait that is one look that did not come about, and not its end. */
import { isBusy } from '../core/is-busy.ts';

/** Undefined: others have it. */
export function unlessBusy<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}
