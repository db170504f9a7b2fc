/** What a run may use up, as things are. Pure. */
import type { AgentLimits, DraftState } from '../core/drafts.ts';
import { isToldEnough } from './open-input.ts';
import type { Progress } from './progress.ts';

/** So long may a command in the background outlast the report. */
const AFTER_REPORT_MS = 10_000;

/** Of its tree's budget, or of its role. */
export const mostOf = ({ share_usd, limits }: DraftState): number | null => share_usd ?? limits.cost_usd;

/** @param open_calls_ms so long the calls that it waits for may be silent */
export function limitsNow(state: DraftState, at: Progress, open_calls_ms: number): AgentLimits {
  const { limits } = state;
  // Shells that it left alone are nothing to wait for; a subagent may still be at work.
  const is_over = at.is_done && isToldEnough(at);
  const stall_ms = is_over
    ? Math.min(AFTER_REPORT_MS, limits.stall_ms)
    : Math.max(limits.stall_ms, open_calls_ms);
  return { ...limits, stall_ms, cost_usd: mostOf(state) };
}

/**
 * The tree's, at its root. Its money is dealt out in shares: who has one left is not ended by what others spent above theirs,
 * by the last call of each. Nobody's share, and with it no tree, goes on for that.
 */
export const treeLimitsOf = (
  { share_usd }: DraftState,
  { limits }: DraftState,
): Pick<AgentLimits, 'tree_turns' | 'tree_cost_usd'> =>
  share_usd == null ? limits : { ...limits, tree_cost_usd: null };
