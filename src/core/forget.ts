/** States that no one will ask for again, so that compaction need not keep them forever. */
import { asDraftState, type DraftState } from './drafts.ts';
import { agentKey, agentOfKey } from './keys.ts';
import type { Json, Key } from './ledger.ts';
import { asInbox, asMessage, asThread, asTopic, type Inbox, messageKey } from './mailbox.ts';
import { asProfile } from './profiles.ts';
import { isStale } from './stale-hold.ts';
import { asAgentState, asWaitState } from './states.ts';
import type { AgentId, AgentState, Now, WaitEdge } from './types.ts';
import { asTold, asWorktreeAgents } from './worktrees.ts';

/** As long as baselines are kept (src/workspace/sweep-seen.ts): without them an agent has nothing to return to. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** Compaction's moment, and the other states of the ledger. */
export interface Then {
  readonly now: Now;
  readonly see: (key: Key) => Json | undefined;
}

/** By the class of a key, which is the part before its first `:`. */
const FORGOTTEN: Readonly<Record<string, (state: Json, then: Then, key: Key) => boolean>> = {
  agent: (state, { now }) => isAgentForgotten(asAgentState(state), now),
  wait: (state, { now }) => isAll(asWaitState(state).edges, (edge) => isWaitForgotten(edge, now)),
  draft: (state, { now }) => isDraftForgotten(asDraftState(state), now),
  thread: (state, { now }) => isOld(asThread(state).at_wall_ms, now),
  message: (state, { now }) => isOld(asMessage(state)?.sent_wall_ms, now),
  profile: (state, { now }) => isLongAgo(asProfile(state).at ?? now, now),
  worktree: (state, { now }) => isLongAgo(asWorktreeAgents(state)?.at ?? now, now),
  told: (state, { now }) => isLongAgo(asTold(state)?.at ?? now, now),
  inbox: (state, then, key) => isGone(agentOfKey(key), then) && isInboxOver(asInbox(state), then),
  topic: (state, then) => asTopic(state).followers.every((id) => isGone(id, then)),
};

/**
 * Agents that left, or whose boot ended, a month ago, with their inbox, and waits that ended then. Both clocks must agree if
 * both count: no agent is forgotten because the wall clock jumped, and no lease of a forgotten agent can be alive.
 */
export function isForgotten(key: Key, state: Json, then: Then): boolean {
  const kind = key.slice(0, key.indexOf(':'));
  if (kind.startsWith('held/')) return isStale(key, then.see);
  return Object.hasOwn(FORGOTTEN, kind) && FORGOTTEN[kind]?.(state, then, key) === true;
}

/** The agent is forgotten, now or by an earlier compaction, or never took part. */
export function isGone(id: AgentId, { now, see }: Then): boolean {
  const agent = asAgentState(see(agentKey(id)));
  return agent === undefined || isAgentForgotten(agent, now);
}

const isOld = (wall_ms: number | undefined, now: Now): boolean =>
  wall_ms !== undefined && now.wall_ms - wall_ms > KEPT_MS;

const isAll = <T>(list: readonly T[], is: (one: T) => boolean): boolean => list.length > 0 && list.every(is);

/** A message may wait for an agent that has not joined yet, and an agent may wait for an answer of one that is gone. */
function isInboxOver({ heads, talks, awaited }: Inbox, { now, see }: Then): boolean {
  const isRead = (id: string): boolean => {
    const message = asMessage(see(messageKey(id)));
    return message === null || isOld(message.sent_wall_ms, now);
  };
  return (
    heads.every(({ id }) => isRead(id)) &&
    talks.every((talk) => isOld(talk.since_wall_ms, now)) &&
    awaited.every((ack) => isOld(ack.sent_wall_ms, now))
  );
}

/** As long as its worktree exists, it may still be merged or discarded by the agent's name. */
function isDraftForgotten(draft: DraftState | undefined, now: Now): boolean {
  if (draft?.ended_wall_ms == null || draft.worktree?.kept === true) return false;
  return isOld(draft.ended_wall_ms, now);
}

function isAgentForgotten(agent: AgentState | undefined, now: Now): boolean {
  if (agent === undefined || !isOld(agent.active_wall_ms, now)) return false;
  return agent.boot !== now.boot || (!agent.live && now.mono_ms - agent.active_mono_ms > KEPT_MS);
}

/** By both clocks, if both count. */
const isLongAgo = ({ wall_ms, mono_ms, boot }: Now, now: Now): boolean =>
  isOld(wall_ms, now) && (boot !== now.boot || now.mono_ms - mono_ms > KEPT_MS);

function isWaitForgotten({ since_wall_ms, boot, until_mono_ms }: WaitEdge, now: Now): boolean {
  if (!isOld(since_wall_ms, now)) return false;
  return boot !== now.boot || now.mono_ms - until_mono_ms > KEPT_MS;
}
