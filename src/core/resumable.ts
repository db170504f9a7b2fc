/** Whether an ended agent can be resumed. Until it cannot, the agents that come after it wait instead of being refused. Pure. */
import { usageOf } from './agent-limits.ts';
import { judgeShare, treeOf } from './draft-share.ts';
import type { Drafts } from './draft-verdict.ts';
import type { DraftState } from './drafts.ts';
import { mayGoOn } from './lost.ts';

/** A limit of its own that all its runs together have used up; `null` if something is left of each. */
export function usedUp({ limits, usage, ran_ms = 0 }: DraftState): {
  readonly why: 'turns' | 'wall' | 'cost';
  readonly limit: number;
} | null {
  if (limits.turns !== null && usage.turns >= limits.turns) return { why: 'turns', limit: limits.turns };
  if (ran_ms >= limits.wall_ms) return { why: 'wall', limit: limits.wall_ms / 1000 };
  if (limits.cost_usd !== null && usage.cost_usd >= limits.cost_usd)
    return { why: 'cost', limit: limits.cost_usd };
  return null;
}

/** It ended through no fault of its own, and has something left of each of its own limits. */
export const canGoOn = (draft: DraftState): boolean => mayGoOn(draft) && usedUp(draft) === null;

/** The same, and the limits of its tree are not used up either. */
export function canBeResumed(draft: DraftState, drafts: Drafts): boolean {
  if (!canGoOn(draft)) return false;
  const { tree, tree_turns } = treeOf(draft, drafts.all);
  const isTreeSpent = tree_turns !== null && usageOf(tree).turns >= tree_turns;
  return !isTreeSpent && !('refused' in judgeShare(draft, drafts, 0));
}
