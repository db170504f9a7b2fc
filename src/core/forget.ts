/** States that no one will ask for again, so that compaction need not keep them forever. */
import { asDraftState, DRAFTS, type DraftState } from './drafts.ts';
import { AGENTS, WAITS } from './keys.ts';
import type { Json, Key } from './ledger.ts';
import { asMessage, asThread } from './mailbox.ts';
import { asProfile, PROFILES } from './profiles.ts';
import { asAgentState, asWaitState } from './states.ts';
import type { AgentState, Now, WaitEdge } from './types.ts';
import { asTold, asWorktreeAgents, TOLD, WORKTREES } from './worktrees.ts';

/** As long as baselines are kept (src/workspace/sweep-seen.ts): without them an agent has nothing to return to. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Agents that left, or whose boot ended, a month ago, and waits that ended then. Both clocks must agree if both count:
 * no agent is forgotten because the wall clock jumped, and no lease of a forgotten agent can be alive.
 */
export function isForgotten(key: Key, state: Json, now: Now): boolean {
  if (key.startsWith(AGENTS)) return isAgentForgotten(asAgentState(state), now);
  if (key.startsWith(DRAFTS)) return isDraftForgotten(asDraftState(state), now);
  if (key.startsWith('thread:')) return now.wall_ms - asThread(state).at_wall_ms > KEPT_MS;
  if (key.startsWith('message:'))
    return now.wall_ms - (asMessage(state)?.sent_wall_ms ?? now.wall_ms) > KEPT_MS;
  if (key.startsWith(PROFILES)) return isLongAgo(asProfile(state).at ?? now, now);
  if (key.startsWith(WORKTREES)) return isLongAgo(asWorktreeAgents(state)?.at ?? now, now);
  if (key.startsWith(TOLD)) return isLongAgo(asTold(state)?.at ?? now, now);
  const edges = key.startsWith(WAITS) ? asWaitState(state).edges : [];
  return edges.length > 0 && edges.every((edge) => isWaitForgotten(edge, now));
}

/** As long as its worktree exists, it may still be merged or discarded by the agent's name. */
function isDraftForgotten(draft: DraftState | undefined, now: Now): boolean {
  if (draft?.ended_wall_ms == null || draft.worktree?.kept === true) return false;
  return now.wall_ms - draft.ended_wall_ms > KEPT_MS;
}

function isAgentForgotten(agent: AgentState | undefined, now: Now): boolean {
  if (agent === undefined || !(now.wall_ms - agent.active_wall_ms > KEPT_MS)) return false;
  return agent.boot !== now.boot || (!agent.live && now.mono_ms - agent.active_mono_ms > KEPT_MS);
}

/** By both clocks, if both count. */
const isLongAgo = ({ wall_ms, mono_ms, boot }: Now, now: Now): boolean =>
  now.wall_ms - wall_ms > KEPT_MS && (boot !== now.boot || now.mono_ms - mono_ms > KEPT_MS);

function isWaitForgotten({ since_wall_ms, boot, until_mono_ms }: WaitEdge, now: Now): boolean {
  if (!(now.wall_ms - since_wall_ms > KEPT_MS)) return false;
  return boot !== now.boot || now.mono_ms - until_mono_ms > KEPT_MS;
}
