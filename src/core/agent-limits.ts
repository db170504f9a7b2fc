/** When an agent that guard started has exceeded its limits. Pure; the supervisor checks at every event and second. */
import type { AgentLimits, Bounds, DraftState, Usage } from './drafts.ts';

export const DEFAULT_LIMITS: Required<AgentLimits> = {
  turns: 200,
  wall_ms: 3_600_000,
  cost_usd: null,
  stall_ms: 600_000,
  repeats: 25,
  tree_turns: 1_000,
  tree_cost_usd: null,
  // Waits of 30 s, 2, 8 and 32 minutes and an hour, so that the retries outlast an hour-long API outage.
  retries: 5,
  retry_after_ms: 30_000,
};

export const DEFAULT_BOUNDS: Bounds = { depth: 3, running: 8 };

export interface LimitedAgent {
  readonly usage: Usage;
  /** Of all agents in its tree, including itself. */
  readonly tree: Pick<Usage, 'turns' | 'cost_usd'>;
  readonly running_ms: number;
  /** Time since the client's last event. */
  readonly silent_ms: number;
  /** It waits for a lock or for another agent, and is therefore expected to be silent. */
  readonly is_waiting: boolean;
  /** How many times in a row the newest tool call was made. */
  readonly repeats: number;
}

export interface Exceeded {
  readonly status: 'timeout' | 'budget' | 'failed';
  readonly reason: string;
  readonly is_silence?: true;
}

const over = (used: number, limit: number | null): boolean => limit !== null && used > limit;

/** Checked in order of precedence. `tree` has the limits of the root of the tree. */
export function exceeded(
  seen: LimitedAgent,
  limits: AgentLimits,
  tree: Pick<AgentLimits, 'tree_turns' | 'tree_cost_usd'>,
): Exceeded | null {
  const { usage, repeats, running_ms, silent_ms, is_waiting } = seen;
  if (running_ms > limits.wall_ms)
    return { status: 'timeout', reason: `it ran for more than ${inSeconds(limits.wall_ms)}` };
  if (over(usage.turns, limits.turns))
    return { status: 'budget', reason: `it took more than ${String(limits.turns)} turns` };
  if (over(usage.cost_usd, limits.cost_usd))
    return { status: 'budget', reason: `it cost more than ${String(limits.cost_usd)} USD` };
  if (over(seen.tree.turns, tree.tree_turns))
    return { status: 'budget', reason: `its tree took more than ${String(tree.tree_turns)} turns` };
  if (over(seen.tree.cost_usd, tree.tree_cost_usd))
    return { status: 'budget', reason: `its tree cost more than ${String(tree.tree_cost_usd)} USD` };
  if (repeats > limits.repeats)
    return { status: 'failed', reason: `it made the same call more than ${limits.repeats} times in a row` };
  if (!is_waiting && silent_ms > limits.stall_ms)
    return {
      status: 'timeout',
      reason: `it was silent for more than ${inSeconds(limits.stall_ms)}`,
      is_silence: true,
    };
  return null;
}

const inSeconds = (ms: number): string => `${ms / 1000} s`;

export function usageOf(tree: readonly DraftState[]): Pick<Usage, 'turns' | 'cost_usd'> {
  return {
    turns: tree.reduce((sum, { usage }) => sum + usage.turns, 0),
    cost_usd: tree.reduce((sum, { usage }) => sum + usage.cost_usd, 0),
  };
}
