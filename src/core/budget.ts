/**
 * The money of a tree of agents: every agent that starts has a share of it set aside, so that what runs at the same time
 * cannot spend the whole more than once; what it did not use is there again when it has ended. Pure.
 */
import { type DraftState, isOver } from './drafts.ts';

export interface Money {
  readonly tree_usd: number;
  readonly spent_usd: number;
  /** For agents that run. */
  readonly reserved_usd: number;
  readonly left_usd: number;
}

export function moneyOf(tree: readonly DraftState[], tree_usd: number): Money {
  const sum = (some: readonly DraftState[], usd: (draft: DraftState) => number): number =>
    some.reduce((so_far, draft) => so_far + usd(draft), 0);
  const spent_usd = sum(tree, ({ usage }) => usage.cost_usd);
  // The last calls, one of its own and one of each subagent at work, may cost more than was left of its share.
  const reserved_usd = sum(
    tree.filter((draft) => !isOver(draft)),
    ({ share_usd, usage }) => Math.max(0, (share_usd ?? 0) - usage.cost_usd),
  );
  return { tree_usd, spent_usd, reserved_usd, left_usd: Math.max(0, tree_usd - spent_usd - reserved_usd) };
}

/** As clients take it. */
const LEAST_USD = 1e-6;

/**
 * What its role may cost, else an equal part for it and for everyone who could still start beside it; never more than is
 * left. Null: nothing is left.
 * @param free how many more may run once it does
 */
export function shareOf({ left_usd }: Money, cost_usd: number | null, free: number): number | null {
  const wanted = cost_usd ?? left_usd / (Math.max(0, free) + 1);
  const share = Math.floor(Math.min(wanted, left_usd) / LEAST_USD) * LEAST_USD;
  return share >= LEAST_USD ? Number(share.toFixed(6)) : null;
}
