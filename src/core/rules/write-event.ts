/** A write that is to be judged, and what comes of that. */
import type { Denial, Objection } from '../denial.ts';
import type { Lsn } from '../ledger.ts';
import type { TextForm } from '../text-form.ts';
import type { AgentState, Digest, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import type { Baseline, Disk } from './baseline.ts';
import type { OwnWorktree } from './own-worktree.ts';

/** One file a tool call is about to write, as the shell found it. */
export interface WriteTarget {
  readonly path: RepoPath;
  readonly abs: string;
  readonly disk: Disk;
  readonly form: TextForm | null;
  readonly baseline: Baseline | null;
  /** `touched` of the path's state before the digest was taken. */
  readonly seen_touched: Lsn;
  /** What the shell alone can see: a protected path, an unreadable file. */
  readonly objections: readonly Objection[];
}

/** `joined_lsn` null: an lsn of another ledger says nothing here. */
export type Life = Pick<AgentState, 'turn' | 'joined_wall_ms' | 'context'> & { readonly joined_lsn: null };

export interface WriteBeginEvent {
  readonly type: 'write.begin';
  readonly who: Who;
  /** tool_use_id. */
  readonly op: string;
  readonly tool: string;
  readonly targets: readonly WriteTarget[];
  /** What the agent's session knows of its life, when its home is another repository than the targets'. */
  readonly home: Life | null;
  /** The targets are in a worktree that was made for this agent. Undefined: they are not. */
  readonly worktree?: OwnWorktree | undefined;
  /** What it has read of the targets' checkout in its turn. Asked only when a lock is missing; absent: not known. */
  readonly reads?: (turn: number) => readonly ReadFile[];
  /** Of the targets those that git ignores, which need no lock; null: can be asked for. Absent: git is not asked. */
  readonly ignored?: readonly RepoPath[] | null | undefined;
}

/** A file that the agent read, and what it saw. */
export interface ReadFile {
  readonly path: RepoPath;
  readonly abs: string;
  readonly digest: Digest | null;
}

export type WriteVerdict =
  | { readonly verdict: 'approved' }
  /** Somebody's write began or ended after the digest was taken: take it again. */
  | { readonly verdict: 'retry' }
  /** It comes down to whether git ignores some of the targets. */
  | { readonly verdict: 'ask' }
  | { readonly verdict: 'denied'; readonly denial: Denial };
