/** What git commands of a line would touch: git itself says it, before they run. */
import type { Objection } from '../../core/denial.ts';
import type { GitCall } from '../../shell/effects.ts';
import type { Scene } from '../scene.ts';

export interface Forecast {
  /** Files whose content on disk would change or go. */
  readonly touched: readonly Touched[];
  /** Repository-wide things that it takes or moves: `@git/stash`, `@git/index`, `@git/refs/<name>`, `@git/worktree`. */
  readonly resources: readonly string[];
  /** What no list of files says: a stash entry of somebody else, a branch that somebody has checked out. */
  readonly objections: readonly Objection[];
}

export interface Touched {
  /** Absolute. */
  readonly abs: string;
  /** What is in no commit and would be gone, or would be committed in another's name. */
  readonly loses: 'nothing' | 'uncommitted' | 'staged';
  /** The same act without the files of others, where there is one: `git stash push -- mine`. */
  readonly narrower: (others: readonly string[]) => string | null;
  readonly source: string;
}

export function forecastGit(_scene: Scene, _calls: readonly GitCall[]): Forecast {
  return { touched: [], resources: [], objections: [] };
}
