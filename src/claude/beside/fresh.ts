import type { AgentId } from '../../core/types.ts';

/** A content that the agent did not know. */
export interface Fresh {
  /** A linked worktree; '' is the main checkout. */
  readonly id: string;
  readonly root: string;
  /** Null: no file. */
  readonly bytes: Buffer | null;
  /** SHA-256 of them. */
  readonly digest: string;
  readonly mtime_ms: number | null;
  /** By which it is known from now on. */
  readonly marks: readonly string[];
}

export interface News extends Fresh {
  /** Null: nothing to tell of. */
  readonly line: string | null;
  readonly meets: boolean;
  /** Whose it is, as far as guard knows. */
  readonly agent: AgentId | null;
}
