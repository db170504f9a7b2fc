/**
 * The budget of a tree of agents. Each agent that starts has a share set aside, so that agents running at the same time
 * cannot spend the whole more than once. When an agent ends, the unused part of its share becomes available again.
 * Pure.
 */
import { type DraftState, isOver } from './drafts.ts';

export interface Money {
  readonly tree_usd: number;
  readonly spent_usd: number;
  /** Set aside for running agents. */
  readonly reserved_usd: number;
  readonly left_usd: number;
}

export function moneyOf(tree: readonly DraftState[], tree_usd: number): Money {
  const sum = (some: readonly DraftState[], usd: (draft: DraftState) => number): number =>
    some.reduce((so_far, draft) => so_far + usd(draft), 0);
  const spent_usd = sum(tree, ({ usage }) => usage.cost_usd);
  // An agent's last calls (one of its own and one per active subagent) may cost more than was left of its share.
  const reserved_usd = sum(
    tree.filter((draft) => !isOver(draft)),
    ({ share_usd, usage }) => Math.max(0, (share_usd ?? 0) - usage.cost_usd),
  );
  return { tree_usd, spent_usd, reserved_usd, left_usd: Math.max(0, tree_usd - spent_usd - reserved_usd) };
}

/** The smallest amount that clients accept. */
const LEAST_USD = 1e-6;

/**
 * The most its role may cost or, without such a limit, an equal part for it and each agent that could still start next
 * to it; never more than is left. `null` if nothing is left.
 * @param free how many more agents may run once it does
 */
export function shareOf({ left_usd }: Money, cost_usd: number | null, free: number): number | null {
  const wanted = cost_usd ?? left_usd / (Math.max(0, free) + 1);
  const share = Math.floor(Math.min(wanted, left_usd) / LEAST_USD) * LEAST_USD;
  return share >= LEAST_USD ? Number(share.toFixed(6)) : null;
}
