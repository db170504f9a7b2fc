/** What stands half done in the checkouts of a ledger: a rebase, a merge, a bisect. Read from git's own files. */
import { join } from 'node:path';
import { gitPlaceOf } from '../repo/clones.ts';
import { type Midway, midwayIn } from '../repo/midway.ts';
import { otherCheckouts } from '../repo/other-checkouts.ts';
import type { Repo } from '../repo/repo.ts';

export interface HalfDone {
  /** As the ledger names it; '' is the main checkout. */
  readonly checkout: string;
  readonly operation: Midway;
}

export const halfDoneIn = (repo: Repo): readonly HalfDone[] =>
  [repo.worktree ?? '', ...otherCheckouts(repo)].flatMap((checkout) => {
    const { common_dir, worktree } = gitPlaceOf(repo, checkout) ?? { common_dir: null, worktree: '' };
    if (common_dir === null) return [];
    const found = midwayIn(worktree === '' ? common_dir : join(common_dir, 'worktrees', worktree));
    return found === null ? [] : [{ checkout, operation: found[1] }];
  });
