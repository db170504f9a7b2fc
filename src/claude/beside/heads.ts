/** The commits that other checkouts are at, by names that git resolves here. */
import { join } from 'node:path';
import { gitPlaceOf } from '../../repo/clones.ts';
import { gitAnswer } from '../../repo/git-answer.ts';
import type { Repo } from '../../repo/locate.ts';
import { headOfCheckout } from '../../repo/other-checkouts.ts';
import type { Fresh } from './fresh.ts';

export interface Heads {
  /** By the checkout's name in the ledger; null if it has no commit. */
  readonly of: ReadonlyMap<string, string | null>;
  /** Object directories of other clones. */
  readonly behind: readonly string[];
}

/** Worktrees of this clone have refs here. Other clones have to be asked: one process for each of their checkouts. */
export function headsOf(repo: Repo, fresh: readonly Fresh[], left_ms: () => number): Heads {
  const behind = new Set<string>();
  const of = new Map<string, string | null>();
  for (const { id, root } of fresh) {
    const { common_dir, worktree } = gitPlaceOf(repo, id) ?? { common_dir: null, worktree: '' };
    if (common_dir === repo.common_dir) of.set(id, headOfCheckout(worktree));
    else {
      const said = gitAnswer({ root, args: ['rev-parse', '-q', '--verify', 'HEAD'], limit_ms: left_ms() });
      of.set(id, said?.toString().trim() ?? null);
      if (common_dir !== null) behind.add(join(common_dir, 'objects'));
    }
  }
  return { of, behind: [...behind] };
}
