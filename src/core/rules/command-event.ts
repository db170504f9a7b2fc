/** A command line as the ledger judges it: what the shell found out about its targets before it runs. */
import type { Denial, Objection } from '../denial.ts';
import type { Lsn } from '../ledger.ts';
import type { Digest, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import type { Baseline, Disk } from './baseline.ts';
import type { OwnWorktree } from './own-worktree.ts';
import type { Life, ReadFile } from './write-event.ts';

/** One file that the line names. */
export interface CommandFile {
  readonly path: RepoPath;
  readonly abs: string;
  /** Judged as Write is: it exists, and git tracks it. Null: only what others do with it counts. */
  readonly known: KnownFile | null;
  /** Its content changes, as far as the line tells: others wait until that is over. */
  readonly is_written: boolean;
  /** Before the command; null: no file, or not looked at. */
  readonly digest: Digest | null;
  /** What the shell alone can see: a protected path. */
  readonly objections: readonly Objection[];
}

export interface KnownFile {
  readonly disk: Disk;
  readonly baseline: Baseline | null;
  /** `touched` of the path's state before the digest was taken. */
  readonly seen_touched: Lsn;
}

/** Files that the line does not name one by one: a directory with all that is in it, what a formatter goes through. */
export interface Area {
  readonly abs: string;
  /** Its part of the line. */
  readonly source: string;
  readonly by: string;
  readonly covers: (path: RepoPath) => boolean;
  /** Of what it covers, what is in its own checkout. Absent: all. */
  readonly is_here?: (path: RepoPath) => boolean;
  /** Files and directories in which everything is that it covers; `//<worktree>/` for that checkout. Absent: it may be anywhere. */
  readonly places?: readonly RepoPath[];
  /** For comparing with what is reserved: the checkout ('' or `//<worktree>/`) and a glob in it. Null: `members` says it. */
  readonly glob: { readonly scope: string; readonly text: string } | null;
  /** Where they are known one by one. */
  readonly members: readonly RepoPath[];
}

/** A file that git says it would touch. */
export interface GitFile {
  readonly path: RepoPath;
  readonly abs: string;
  /** Its content on disk changes, or it goes. False: only the index or a commit takes it in, so leases do not matter. */
  readonly on_disk: boolean;
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** On disk now. Undefined: not looked at. */
  readonly digest?: Digest | null;
  /** In the last commit. Undefined: not asked for, or not there. */
  readonly committed?: Digest;
  readonly source: string;
  readonly narrower: (others: readonly string[]) => string | null;
}

export interface CommandBeginEvent {
  readonly type: 'command.begin';
  readonly who: Who;
  /** tool_use_id. */
  readonly op: string;
  readonly tool: string;
  readonly targets: readonly CommandFile[];
  readonly areas: readonly Area[];
  readonly git: readonly GitFile[];
  /** `@git/stash` and its like. */
  readonly resources: readonly RepoPath[];
  /** What is wrong with the line itself. */
  readonly objections: readonly Objection[];
  readonly home: Life | null;
  readonly worktree?: OwnWorktree | undefined;
  readonly reads?: (turn: number) => readonly ReadFile[];
  /**
   * Whether the agent's own history has this call (a tool_use_id): that of a fork begins with its parent's. Asked only where
   * another agent's work would be in the way. Absent: not known.
   */
  readonly remembers?: (op: string) => boolean;
  /** The longest that the client lets it run. */
  readonly until_mono_ms: number;
  /** Roots of other repositories whose ledgers it is judged in, too. */
  readonly elsewhere: readonly string[];
}

export type CommandVerdict =
  /** `strangers`: files that git would touch whose work is nobody's that is known, absolute. */
  | { readonly verdict: 'approved'; readonly strangers: readonly string[] }
  | { readonly verdict: 'retry' }
  /** Whether another agent's work is in these files only their content tells. */
  | { readonly verdict: 'look'; readonly paths: readonly RepoPath[] }
  | { readonly verdict: 'denied'; readonly denial: Denial };
