/** A path that a git command would touch, and what happens to it. */
export interface Touched {
  /** An absolute path. */
  readonly abs: string;
  /** A directory with everything in it: git removes or moves it as a whole. */
  readonly is_tree?: true;
  /** Its content on disk changes or is removed, so leases matter. False: only the index or a commit takes it in. */
  readonly on_disk: boolean;
  /**
   * `uncommitted`: work that is in no commit is lost from its place. `staged`: it is committed, or staged, by this command.
   * For both, the owner of the work matters; for `nothing`, only leases do.
   */
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** The same command without the files of others (absolute paths), if there is one: `git stash push -- mine`. */
  readonly narrower: (others: readonly string[]) => string | null;
  readonly source: string;
}
