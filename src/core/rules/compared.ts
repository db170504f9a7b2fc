/** The three things that a write is judged by: what its agent knows of the file, what the ledger does, and the file. */
import type { Gone } from '../gone.ts';
import type { AgentState, Digest, PathState } from '../types.ts';

/** What the agent knows of a path. Stored next to the ledger, private to the agent. */
export interface Baseline {
  /** The turn in which it was recorded; in a later turn it is the `last_seen`. */
  readonly turn: number;
  /** `absent`: the agent was told that there is no file. `unverified`: it may have been shown other content. */
  readonly knows: 'content' | 'absent' | 'unverified';
  /** The content that the agent last saw; `null` if it never saw any. */
  readonly digest: Digest | null;
  /** Partial reads of newer content that do not yet cover the whole file. */
  readonly partial?: {
    readonly digest: Digest;
    readonly total_lines: number;
    readonly ranges: readonly Range[];
  };
}

/** First and last line, counted from 1, inclusive. */
export type Range = readonly [number, number];

/** The file on disk. Times in milliseconds since the epoch. */
export interface Disk {
  readonly state: 'file' | 'missing' | 'directory' | 'special' | 'unreadable';
  readonly digest: Digest | null;
  readonly ctime_ms: number;
  /** For a missing file, if the shell searched for it. */
  readonly gone?: Gone;
}

/** The relevant part of an agent. `joined_lsn` is `null` if its session lives in another ledger. */
export type Judged = Pick<AgentState, 'id' | 'turn' | 'joined_wall_ms' | 'context'> & {
  readonly joined_lsn: AgentState['joined_lsn'] | null;
};

/** The three things that are compared. */
export interface Compared {
  readonly state: PathState;
  readonly baseline: Baseline | null;
  readonly disk: Disk;
}
