/** Unfinished operations in a ledger's checkouts: a rebase, a merge, a bisect. Read from git's own files. */
import { gitPlaceOf } from '../repo/clones.ts';
import { gitDirOf } from '../repo/git-dir.ts';
import { type Midway, midwayIn } from '../repo/midway.ts';
import { otherCheckouts } from '../repo/other-checkouts.ts';
import type { Repo } from '../repo/repo.ts';

export interface HalfDone {
  /** Its id in the ledger; '' is the main checkout. */
  readonly checkout: string;
  readonly operation: Midway;
}

export const halfDoneIn = (repo: Repo): readonly HalfDone[] =>
  [repo.worktree ?? '', ...otherCheckouts(repo)].flatMap((checkout) => {
    const place = gitPlaceOf(repo, checkout);
    const found = place === null ? null : midwayIn(gitDirOf(place.common_dir, place.worktree));
    return found === null ? [] : [{ checkout, operation: found[1] }];
  });
