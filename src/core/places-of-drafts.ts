/**
 * The places of drafted agents, and what part of its tree's money goes with one. A place is what `running` counts; an agent
 * that waits for other agents lends its own, so that leads cannot keep those from starting whom they wait for. Pure.
 */
import { type Money, shareOf } from './budget.ts';
import type { DraftState } from './drafts.ts';
import type { Now } from './types.ts';

export const hasPlace = ({ status }: DraftState): boolean => status === 'starting' || status === 'running';

/** The call in which it waits may be older than what its supervisor has told of the answer that made it. */
const ANSWER_LAG_MS = 5_000;

/** Whose model has answered since does not wait: its wait is a command in the background. */
const isLending = ({ lends, turned_mono_ms }: DraftState, { boot, mono_ms }: Now): boolean =>
  lends != null &&
  lends.boot === boot &&
  mono_ms < lends.until_mono_ms &&
  (turned_mono_ms ?? 0) <= lends.since_mono_ms + ANSWER_LAG_MS;

/** Who works, and waits for no other agent. */
export const takesPlace = (draft: DraftState, now: Now): boolean => hasPlace(draft) && !isLending(draft, now);

/** How many more could start beside it; below 0: there is no place for it either. */
export function freeFor(
  { id, bounds }: DraftState,
  { all, now }: { readonly all: readonly DraftState[]; readonly now: Now },
): number {
  const others = all.filter((one) => one.id !== id && takesPlace(one, now));
  return (bounds?.running ?? Infinity) - others.length - 1;
}

/**
 * For all runs of it together. At the root of its tree who may draft nobody shares with nobody; who may leaves a part for those
 * whom it drafts also where it has the last place: it will lend it to them.
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
