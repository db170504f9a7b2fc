/** A linked worktree was removed: nothing is held in it any more, and a new one with the same name starts empty. */
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
  /** Its id in the ledger. */
  readonly worktree: string;
}

/** Keys per record. */
const PATHS_PER_RECORD = 256;

/** Returns how many paths were forgotten. All holds in it belong to the agent that ended or to agents that are gone. */
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
