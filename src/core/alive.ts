/** Who is alive, which leases and intents count. Everything here is unsure-means-alive. */
import { activeUntil } from './acting.ts';
import { isElsewhere, isUp } from './up.ts';
import type { Draft } from './states.ts';
import type { AgentId, AgentState, Facts, Hold, Intent, RepoPath, Ticket } from './types.ts';

/** False only when the agent left, its boot is over, its process is certainly gone, or its parent is not alive. */
export function isAlive(draft: Draft, id: AgentId, facts: Facts): boolean {
  const agent = draft.agent(id);
  if (agent === undefined) return true;
  if (!isUp(agent, facts)) return false;
  const parent = agent.parent === null ? undefined : draft.agent(agent.parent);
  return parent === undefined || isUp(parent, facts);
}

/**
 * An intent lives until its agent's op is another one, or the agent is gone. Where nothing will ever say for certain
 * that it is gone (no process known, as of clients up to 2.1.100; another machine), a ttl of silence does.
 */
export function isIntentLive(draft: Draft, intent: Intent | null, facts: Facts): intent is Intent {
  if (intent === null || !isAlive(draft, intent.agent, facts)) return false;
  const agent = draft.agent(intent.agent);
  if (agent === undefined) return true;
  if (agent.op?.id !== intent.op && !isCommandLive(agent, intent.op, facts)) return false;
  return (agent.proc !== null && !isElsewhere(agent, facts)) || silence(agent, facts) < facts.policy.ttl_ms;
}

/** Of one that runs in the background its task tells; of any other, its own end, or the longest that its client lets it run. */
export function isCommandLive(agent: AgentState, op: string, { now }: Facts): boolean {
  const one = agent.commands?.find(({ id }) => id === op);
  if (one === undefined) return false;
  if (one.task !== undefined) return agent.background.includes(one.task);
  return agent.boot === now.boot
    ? now.mono_ms < one.until_mono_ms
    : now.wall_ms - one.since_wall_ms < one.until_mono_ms - one.since_mono_ms;
}

const silence = (agent: AgentState, { now }: Facts): number =>
  agent.boot === now.boot ? now.mono_ms - agent.active_mono_ms : now.wall_ms - agent.active_wall_ms;

/**
 * The turn is over, and nothing took that back in time. On another machine's clock it is as long ago as that agent has
 * been silent: both moments were taken together there.
 */
export const isTurnGone = (agent: AgentState, facts: Facts): boolean =>
  silence(agent, facts) >= turnGoneAt(agent) - agent.active_mono_ms;

const turnGoneAt = ({ turn_over: over, turn }: AgentState): number =>
  over && (over.turn ?? turn) === turn ? over.gone_mono_ms : Infinity;

/** A lease lives for its ttl beyond its holder's last activity; an open intent pins it. */
export function isHoldLive(draft: Draft, path: RepoPath, hold: Hold, facts: Facts): boolean {
  if (!isAlive(draft, hold.agent, facts)) return false;
  const agent = draft.agent(hold.agent);
  if (agent !== undefined && (agent.epoch !== hold.epoch || isTurnGone(agent, facts))) return false;
  if (hold.command !== undefined && !(agent && isCommandLive(agent, hold.command, facts))) return false;
  if (pins(draft, path, hold, facts)) return true;
  if (hold.boot === facts.now.boot) return facts.now.mono_ms < expiresAt(draft, hold, facts);
  return (
    agent !== undefined && isElsewhere(agent, facts) && facts.now.wall_ms < wallEnd(draft, agent, hold, facts)
  );
}

/** Monotonic clocks of two machines cannot be compared; their wall clocks are the next best. */
const wallEnd = (draft: Draft, agent: AgentState, hold: Hold, facts: Facts): number =>
  Math.max(hold.since_wall_ms, agent.active_wall_ms + lastActive(draft, hold, facts) - agent.active_mono_ms) +
  hold.ttl_ms;

/** Monotonic milliseconds at which the lease ends if its holder does nothing more. */
export function expiresAt(draft: Draft, hold: Hold, facts: Facts): number {
  return lastActive(draft, hold, facts) + hold.ttl_ms;
}

/** A lease nobody has used for a while (no open intent, no open call, no hook) yields to whoever asks. */
export function isIdle(draft: Draft, path: RepoPath, hold: Hold, facts: Facts): boolean {
  if (pins(draft, path, hold, facts) || hold.boot !== facts.now.boot) return false;
  // Nobody hears of a background command while it runs; what it writes to stays leased up to the ttl.
  if ((draft.agent(hold.agent)?.background.length ?? 0) > 0) return false;
  return facts.now.mono_ms - lastActive(draft, hold, facts) >= facts.policy.idle_ms;
}

/**
 * Monotonic milliseconds at which a live lease goes to whoever asks, if its holder does nothing more; `Infinity` under a
 * write in flight and on another boot's clock, where nothing here can tell.
 */
export function goesAt(draft: Draft, path: RepoPath, hold: Hold, facts: Facts): number {
  if (pins(draft, path, hold, facts) || hold.boot !== facts.now.boot) return Infinity;
  const agent = draft.agent(hold.agent);
  const expires = Math.min(expiresAt(draft, hold, facts), agent ? turnGoneAt(agent) : Infinity);
  return agent?.background.length
    ? expires
    : Math.min(expires, lastActive(draft, hold, facts) + facts.policy.idle_ms);
}

export function isTicketLive(draft: Draft, ticket: Ticket, facts: Facts): boolean {
  const agent = draft.agent(ticket.agent);
  return (
    ticket.boot === facts.now.boot &&
    facts.now.mono_ms < ticket.until_mono_ms &&
    !isForsaken(ticket, facts) &&
    isAlive(draft, ticket.agent, facts) &&
    (agent === undefined || (agent.epoch === ticket.epoch && !isTurnGone(agent, facts)))
  );
}

/** Whoever waited with this ticket is certainly gone. */
export const isForsaken = ({ proc, also = [] }: Ticket, { isDead }: Facts): boolean =>
  proc !== undefined && [proc, ...also].every((mark) => isDead(mark));

function pins(draft: Draft, path: RepoPath, hold: Hold, facts: Facts): boolean {
  const { intent } = draft.path(path);
  return isIntentLive(draft, intent, facts) && intent.agent === hold.agent;
}

/** Up to when its holder counts as active if nothing more is heard of it: an open call reaches into the future. */
export function lastActive(draft: Draft, hold: Hold, facts: Facts): number {
  const agent = draft.agent(hold.agent);
  if (agent?.boot !== hold.boot) return hold.since_mono_ms;
  const isAlone = agent.calls === undefined && agent.children === undefined;
  return Math.max(hold.since_mono_ms, isAlone ? agent.active_mono_ms : activeUntil(draft, agent, facts));
}
