/** What a run may use at the moment. Pure. */
import type { AgentLimits, DraftState } from '../core/drafts.ts';
import { isToldEnough } from './open-input.ts';
import type { Progress } from './progress.ts';

/** How long a command in the background may outlast the report. */
const AFTER_REPORT_MS = 10_000;

/** Its share of its tree's budget, or else its role's limit. */
export const mostOf = ({ share_usd, limits }: DraftState): number | null => share_usd ?? limits.cost_usd;

/** @param open_calls_ms how long its open calls may be silent */
export function limitsNow(state: DraftState, at: Progress, open_calls_ms: number): AgentLimits {
  const { limits } = state;
  // A shell it left running is not worth waiting for; a subagent may still be at work.
  const is_over = at.is_done && isToldEnough(at);
  const stall_ms = is_over
    ? Math.min(AFTER_REPORT_MS, limits.stall_ms)
    : Math.max(limits.stall_ms, open_calls_ms);
  return { ...limits, stall_ms, cost_usd: mostOf(state) };
}

/**
 * The limits of the tree, kept at its root. Once its money is dealt out in shares, its own cost limit no longer applies:
 * others may exceed their shares by their last call, which must not end an agent with money left. No share grows by that.
 */
export const treeLimitsOf = (
  { share_usd }: DraftState,
  { limits }: DraftState,
): Pick<AgentLimits, 'tree_turns' | 'tree_cost_usd'> =>
  share_usd == null ? limits : { ...limits, tree_cost_usd: null };
