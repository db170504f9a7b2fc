/** A linked worktree is gone: nothing is held in it any more, and another one that gets its name begins with nothing. */
import { pathKey, PATHS, pathOfKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { changesOver } from '../states.ts';
import type { Facts } from '../types.ts';
import { asCheckouts, CHECKOUTS, pathIn, worktreeKey } from '../worktrees.ts';
import type { Who } from './who.ts';
import { setHolds } from './holds.ts';
import type { Step } from './transaction.ts';

export interface RemovedWorktree {
  readonly who: Who;
  /** As the ledger calls it. */
  readonly worktree: string;
}

/** Keys of one record. */
const PATHS_PER_RECORD = 256;

/** Answers how many paths are forgotten. Nobody else was in it: its holds are those of whoever ended, or of agents that are gone. */
export function removedWorktree(view: View, { who, worktree }: RemovedWorktree, facts: Facts): Step<number> {
  const changes = changesOver(view);
  const paths = view.range(PATHS + pathIn(worktree, '')).map(([key]) => pathOfKey(key));
  const told = { type: 'worktree.removed', agent: who.id, ts_ms: facts.now.wall_ms, worktree };
  paths.forEach((path, nth) => {
    setHolds(changes, path, { ...changes.path(path), holds: [], queue: [] });
    changes.set(pathKey(path), null);
    if ((nth + 1) % PATHS_PER_RECORD === 0) changes.record(told);
  });
  const { [worktree]: at, ...others } = asCheckouts(changes.get(CHECKOUTS));
  if (at !== undefined) changes.set(CHECKOUTS, others);
  if (changes.get(worktreeKey(worktree))) changes.set(worktreeKey(worktree), null);
  changes.record(told);
  return { records: changes.records, result: paths.length };
}
