/** The share of its tree's budget that an agent gets when it starts. Pure. */
import { moneyOf } from './budget.ts';
import type { Drafts, Verdict } from './draft-verdict.ts';
import type { DraftState } from './drafts.ts';
import { shareFor, takesPlace } from './places-of-drafts.ts';

/** For an agent that has a place. @param free how many other agents could start next to it */
export function judgeShare(draft: DraftState, { all, now }: Drafts, free: number): Verdict {
  const { tree, tree_cost_usd } = treeOf(draft, all);
  if (tree_cost_usd === null) return { share_usd: draft.limits.cost_usd };
  const money = moneyOf(tree, tree_cost_usd);
  const share_usd = shareFor(draft, money, free);
  if (share_usd !== null) return { share_usd };
  // No agent is left that could return money, so waiting would never end.
  return tree.some((one) => takesPlace(one, now))
    ? { waits: { why: 'share', money } }
    : { refused: { why: 'budget', limit: null, money } };
}

/** All agents in its tree, and the limits of the tree's root; its own limits if the root is no longer recorded. */
export function treeOf(draft: DraftState, all: readonly DraftState[]) {
  const root = all.find(({ id }) => id === draft.root);
  const { tree_turns, tree_cost_usd } = root?.limits ?? draft.limits;
  return {
    tree: root === undefined ? [] : all.filter((one) => one.root === root.id),
    tree_turns,
    tree_cost_usd,
  };
}
