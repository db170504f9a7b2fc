import type { AgentId } from '../../core/types.ts';

/** A content that the agent did not know. */
export interface Fresh {
  /** The linked worktree; '' is the main checkout. */
  readonly id: string;
  readonly root: string;
  /** Null if there is no file. */
  readonly bytes: Buffer | null;
  /** SHA-256 of `bytes`. */
  readonly digest: string;
  readonly mtime_ms: number | null;
  /** The marks by which it is recognised from now on. */
  readonly marks: readonly string[];
}

export interface News extends Fresh {
  /** Null if there is nothing to report. */
  readonly line: string | null;
  readonly meets: boolean;
  /** The author, as far as guard knows. */
  readonly agent: AgentId | null;
}
