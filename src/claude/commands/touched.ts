/** A path that a git command would touch, and what becomes of it. */
export interface Touched {
  /** Absolute. */
  readonly abs: string;
  /** A directory with all that is in it: git removes or moves it as a whole. */
  readonly is_tree?: true;
  /** Its content on disk changes, or it goes: leases matter. False: only the index or a commit takes it in. */
  readonly on_disk: boolean;
  /**
   * `uncommitted`: what is in no commit is gone from where it was. `staged`: it is committed, or staged, with this act. Whose
   * that is matters; where it is `nothing`, only leases do.
   */
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** The same act without the files of others (absolute), where there is one: `git stash push -- mine`. */
  readonly narrower: (others: readonly string[]) => string | null;
  readonly source: string;
}
