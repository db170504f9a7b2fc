/**
 * The places of drafted agents, and the share of the tree's budget that goes with one. `running` limits the number of
 * places. An agent that waits for other agents lends its place, so that leads cannot block the agents they wait for.
 * Pure.
 */
import { type Money, shareOf } from './budget.ts';
import type { DraftState } from './drafts.ts';
import type { Now } from './types.ts';

export const hasPlace = ({ status }: DraftState): boolean => status === 'starting' || status === 'running';

/** A process took it out of the queue, and its supervisor has not begun yet. */
export const isClaimed = ({ status, queued }: Pick<DraftState, 'status' | 'queued'>): boolean =>
  status === 'starting' && queued?.is_claimed === true;

/** The waiting call may be older than the supervisor's report of the model answer that made it. */
const ANSWER_LAG_MS = 5_000;

/** An agent whose model has answered since is not waiting: its wait is a background command. */
const isLending = ({ lends, turned_mono_ms }: DraftState, { boot, mono_ms }: Now): boolean =>
  lends != null &&
  lends.boot === boot &&
  mono_ms < lends.until_mono_ms &&
  (turned_mono_ms ?? 0) <= lends.since_mono_ms + ANSWER_LAG_MS;

/** It is working and not waiting for another agent. */
export const takesPlace = (draft: DraftState, now: Now): boolean => hasPlace(draft) && !isLending(draft, now);

/** How many more agents could start next to it; below 0 there is no place for this one either. */
export function freeFor(
  { id, bounds }: DraftState,
  { all, now }: { readonly all: readonly DraftState[]; readonly now: Now },
): number {
  const others = all.filter((one) => one.id !== id && takesPlace(one, now));
  return (bounds?.running ?? Infinity) - others.length - 1;
}

/**
 * For all its runs together. At the root of its tree, an agent that may not draft gets everything that is left. One
 * that may draft leaves a part for the agents it drafts, even if it has the last place, because it will lend that place
 * to them.
 */
export function shareFor(draft: DraftState, money: Money, free: number): number | null {
  const { limits, usage, access, depth, bounds, parent } = draft;
  const drafts = access === 'full' && bounds?.depth !== depth;
  const own_usd = limits.cost_usd === null ? null : limits.cost_usd - usage.cost_usd;
  const at_root = drafts ? Math.max(1, free) : 0;
  const others = parent === null ? at_root : free;
  const share_usd = shareOf(money, own_usd, others);
  return share_usd === null ? null : usage.cost_usd + share_usd;
}
