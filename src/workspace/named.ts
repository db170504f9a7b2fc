/** What an event that may arrive twice commits under, and how its second run finds what the first one told. */
import type { TransactOptions } from '../store/transact-options.ts';

export interface Named {
  (type: string): TransactOptions;
  /** Whether a first run, which ended before its answer arrived, had something to tell. Call before anything commits. */
  readonly isAgain?: (state_dir: string, event: string) => boolean;
  /** Whether the first run told something by a rule event of this type. */
  readonly hasTold?: (type: string) => boolean;
  /** Keeps a text that is about to be marked as told next to the ledger. */
  readonly note?: (text: string) => void;
}
