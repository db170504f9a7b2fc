import type { Changes } from '../states.ts';
import { takenIn } from '../taken-in.ts';
import type { Facts, Hold, RepoPath } from '../types.ts';
import { checkoutAt } from '../worktrees.ts';
import { liveHolds } from './lease.ts';

/** The holders in the path's own checkout: in another one they have another file, even if one lease covers both. */
export const holdsHere = (changes: Changes, path: RepoPath, facts: Facts): Hold[] =>
  liveHolds(changes, path, facts).filter((hold) => (takenIn(hold) ?? checkoutAt(path)) === checkoutAt(path));
