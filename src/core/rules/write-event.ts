/** A write to be checked, and the verdict on it. */
import type { Denial, Objection } from '../denial.ts';
import type { Lsn } from '../ledger.ts';
import type { TextForm } from '../text-form.ts';
import type { AgentState, Digest, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import type { Baseline, Disk } from './baseline.ts';
import type { OwnWorktree } from './own-worktree.ts';

/** One file that a tool call is about to write, as the shell found it. */
export interface WriteTarget {
  readonly path: RepoPath;
  readonly abs: string;
  readonly disk: Disk;
  readonly form: TextForm | null;
  readonly baseline: Baseline | null;
  /** `touched` of the path's state, read before the digest was taken. */
  readonly seen_touched: Lsn;
  /** Objections that only the shell can find: a protected path, an unreadable file. */
  readonly objections: readonly Objection[];
}

/** `joined_lsn` is `null`, because another ledger's lsn means nothing here. */
export type Life = Pick<AgentState, 'turn' | 'joined_wall_ms' | 'context'> & { readonly joined_lsn: null };

export interface WriteBeginEvent {
  readonly type: 'write.begin';
  readonly who: Who;
  /** tool_use_id. */
  readonly op: string;
  readonly tool: string;
  readonly targets: readonly WriteTarget[];
  /** What the agent's session knows of its life, if its home is another repository than the targets'. */
  readonly home: Life | null;
  /** Set if the targets are in a worktree that was created for this agent. */
  readonly worktree?: OwnWorktree | undefined;
  /** What it has read of the targets' checkout in its turn. Called only if a lock is missing; absent if not known. */
  readonly reads?: (turn: number) => readonly ReadFile[];
  /** The targets that git ignores, which need no lock; `null`: git can be asked if needed. Absent: git is not asked. */
  readonly ignored?: readonly RepoPath[] | null | undefined;
}

/** A file that the agent read, and the content it saw. */
export interface ReadFile {
  readonly path: RepoPath;
  readonly abs: string;
  readonly digest: Digest | null;
}

export type WriteVerdict =
  | { readonly verdict: 'approved' }
  /** Another write began or ended after the digest was taken: take it again. */
  | { readonly verdict: 'retry' }
  /** The verdict depends on whether git ignores some of the targets. */
  | { readonly verdict: 'ask' }
  | { readonly verdict: 'denied'; readonly denial: Denial };
