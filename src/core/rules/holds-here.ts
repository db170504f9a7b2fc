import type { Changes } from '../states.ts';
import { takenIn } from '../taken-in.ts';
import type { Facts, Hold, RepoPath } from '../types.ts';
import { checkoutAt } from '../worktrees.ts';
import { liveHolds } from './lease.ts';

/** Who works in another checkout has another file, even where one lease is for both. */
export const holdsHere = (changes: Changes, path: RepoPath, facts: Facts): Hold[] =>
  liveHolds(changes, path, facts).filter((hold) => (takenIn(hold) ?? checkoutAt(path)) === checkoutAt(path));
