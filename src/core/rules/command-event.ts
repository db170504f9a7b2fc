/** A command line as the ledger's rules see it: what the shell found out about its targets before it runs. */
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
  /** Set if it is checked as Write is: it exists and git tracks it. `null`: only what others do with it matters. */
  readonly known: KnownFile | null;
  /** Its content changes, as far as the line shows: others wait until the command has ended. */
  readonly is_written: boolean;
  /** Before the command; `null`: no file, or not read. */
  readonly digest: Digest | null;
  /** Objections that only the shell can find, such as a protected path. */
  readonly objections: readonly Objection[];
}

export interface KnownFile {
  readonly disk: Disk;
  readonly baseline: Baseline | null;
  /** `touched` of the path's state, read before the digest was taken. */
  readonly seen_touched: Lsn;
}

/** Files that the line does not name one by one: a directory with all its contents, or what a formatter processes. */
export interface Area {
  readonly abs: string;
  /** Its part of the line. */
  readonly source: string;
  readonly by: string;
  readonly covers: (path: RepoPath) => boolean;
  /** Whether a covered path is in the area's own checkout. Absent: all are. */
  readonly is_here?: (path: RepoPath) => boolean;
  /** Files and directories that contain everything it covers; `//<worktree>/` is a checkout. Absent: anywhere. */
  readonly places?: readonly RepoPath[];
  /** To compare with reservations: the checkout ('' or `//<worktree>/`) and a glob in it. `null`: see `members`. */
  readonly glob: { readonly scope: string; readonly text: string } | null;
  /** The files, if they are known one by one. */
  readonly members: readonly RepoPath[];
}

/** A file that git says it would touch. */
export interface GitFile {
  readonly path: RepoPath;
  readonly abs: string;
  /**
   * Its content on disk changes, or it is removed. False: only index or commit are affected, so leases do not matter.
   */
  readonly on_disk: boolean;
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** The digest on disk now. `undefined`: not read. */
  readonly digest?: Digest | null;
  /** The digest in the last commit. `undefined`: not requested, or not in it. */
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
  /** `@git/stash` and similar names. */
  readonly resources: readonly RepoPath[];
  /** Objections to the line itself. */
  readonly objections: readonly Objection[];
  readonly home: Life | null;
  readonly worktree?: OwnWorktree | undefined;
  readonly reads?: (turn: number) => readonly ReadFile[];
  /**
   * Whether the agent's own history contains this call (a tool_use_id): a fork's history begins with its parent's.
   * Called only if another agent's work would be in the way. Absent: not known.
   */
  readonly remembers?: (op: string) => boolean;
  /** The longest that the client lets it run. */
  readonly until_mono_ms: number;
  /** Roots of other repositories in whose ledgers it is checked too. */
  readonly elsewhere: readonly string[];
}

export type CommandVerdict =
  /** `strangers`: absolute paths that git would touch and whose author is not known. */
  | { readonly verdict: 'approved'; readonly strangers: readonly string[] }
  | { readonly verdict: 'retry' }
  /** Only the content of these files shows whether they contain another agent's work. */
  | { readonly verdict: 'look'; readonly paths: readonly RepoPath[] }
  | { readonly verdict: 'denied'; readonly denial: Denial };
