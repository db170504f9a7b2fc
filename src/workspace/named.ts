/** What an event that may arrive twice commits under, and how its second run finds what the first one told. */
import type { TransactOptions } from '../store/transact-options.ts';

export interface Named {
  (type: string): TransactOptions;
  /** Sets where the first run keeps what it tells. Call before anything commits. */
  readonly place?: (state_dir: string, event: string) => void;
  /** Whether the first run, whose answer did not arrive, told something by a rule event (of this type). Call after the look at the ledger. */
  readonly hasTold?: (type?: string) => boolean;
  /** Keeps a text that is about to be marked as told next to the ledger. */
  readonly note?: (text: string) => void;
}
