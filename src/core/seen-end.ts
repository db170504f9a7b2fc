/** What the ledger records about an agent's end besides its outcome. */
import type { ProcessMark } from './types.ts';

/** A process, and the account whose command it calls; absent: that is not known. */
interface EndCaller extends ProcessMark {
  readonly uid?: number;
}

export interface CalledAtEnd {
  /** The process that was about to call the user's `on_end` for this end. Absent or `null`: it was called, or there is none. */
  readonly on_end_by?: EndCaller | null;
}

export interface LastAtWork {
  /** When a lost agent was last at work: no one looked when it ended. Absent: it ended now. */
  readonly at_work_wall_ms?: number;
}
