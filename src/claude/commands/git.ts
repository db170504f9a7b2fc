/** What git commands of a line would touch: git itself says it, before they run. */
import type { Objection } from '../../core/denial.ts';
import type { GitCall, Unresolved } from '../../shell/effects.ts';
import type { Scene } from '../scene.ts';

export interface Forecast {
  readonly touched: readonly Touched[];
  /** Repository-wide things that it takes or moves, as paths of the ledger (core/git-names.ts): `@git//stash`. */
  readonly resources: readonly string[];
  /** What no list of files says: a stash entry of somebody else, a branch that somebody has checked out. */
  readonly objections: readonly Objection[];
  /** What its agent should know where the line passes. */
  readonly told: readonly string[];
  /** What is known only when it runs: denied in `strict` alone. */
  readonly unresolved: readonly Unresolved[];
}

export interface Touched {
  /** Absolute. */
  readonly abs: string;
  /** A directory with all that is in it: git removes or moves it as a whole. */
  readonly is_tree?: true;
  /** Its content on disk changes, or it goes: leases matter. False: only the index or a commit takes it in. */
  readonly on_disk: boolean;
  /**
   * `uncommitted`: what is in no commit is gone from where it was. `staged`: it is committed, or staged, with this act. Whose that
   * is matters; where it is `nothing`, only leases do.
   */
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** The same act without the files of others (absolute), where there is one: `git stash push -- mine`. */
  readonly narrower: (others: readonly string[]) => string | null;
  readonly source: string;
}

export function forecastGit(_scene: Scene, _calls: readonly GitCall[]): Forecast {
  return { touched: [], resources: [], objections: [], told: [], unresolved: [] };
}
