/** Who is alive, which leases and intents count. Everything here is unsure-means-alive. */
import { activeUntil } from './acting.ts';
import { isTogether, SCOPE } from './lease-scope.ts';
import { writesBeside } from './writes-beside.ts';
import { isElsewhere, isUp } from './up.ts';
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Facts, Hold, Intent, RepoPath, Ticket } from './types.ts';

/** False only when the agent left, its boot is over, its process is certainly gone, or its parent is not alive. */
export function isAlive(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  if (agent === undefined) return true;
  if (!isUp(changes, agent, facts)) return false;
  const parent = agent.parent === null ? undefined : changes.agent(agent.parent);
  return parent === undefined || isUp(changes, parent, facts);
}

/**
 * An intent lives until its agent's op is another one, or the agent is gone. Where nothing will ever say for certain
 * that it is gone (no process known, as of clients up to 2.1.100; another machine), a ttl of silence does.
 */
export function isIntentLive(changes: Changes, intent: Intent | null, facts: Facts): intent is Intent {
  if (intent === null || !isAlive(changes, intent.agent, facts)) return false;
  const agent = changes.agent(intent.agent);
  if (agent === undefined) return true;
  if (agent.op?.id !== intent.op && !isCommandLive(agent, intent.op, facts)) return false;
  return (agent.proc !== null && !isElsewhere(agent, facts)) || silence(agent, facts) < facts.policy.ttl_ms;
}

/** Of one that runs in the background its task tells; of any other, its own end, or the longest that its client lets it run. */
export function isCommandLive(agent: AgentState, op: string, facts: Facts): boolean {
  const one = agent.commands?.find(({ id }) => id === op);
  if (one === undefined) return false;
  if (one.task !== undefined) return agent.background.includes(one.task);
  const { since_mono_ms, since_wall_ms, until_mono_ms } = one;
  return passedSince(agent, since_mono_ms, since_wall_ms, facts) < until_mono_ms - since_mono_ms;
}

/**
 * Since a moment in the agent's life. Of two machines that share nothing but a directory the wall clocks are the next best; an engine's
 * clock that took the place of another one began to count only then, and at least so much has passed.
 */
export function passedSince(
  { boot, machine }: AgentState,
  mono_ms: number,
  wall_ms: number,
  { now }: Facts,
): number {
  if (boot === now.boot) return now.mono_ms - mono_ms;
  return machine === undefined ? now.wall_ms - wall_ms : now.mono_ms;
}

const silence = (agent: AgentState, facts: Facts): number =>
  passedSince(agent, agent.active_mono_ms, agent.active_wall_ms, facts);

/**
 * The turn is over, and nothing took that back in time. On another machine's clock it is as long ago as that agent has
 * been silent: both moments were taken together there.
 */
export const isTurnGone = (agent: AgentState, facts: Facts): boolean =>
  silence(agent, facts) >= turnGoneAt(agent) - agent.active_mono_ms;

/** On its engine's or boot's clock; `Infinity`: its turn goes on. */
export const turnGoneAt = ({ turn_over: over, turn }: AgentState): number =>
  over && (over.turn ?? turn) === turn ? over.gone_mono_ms : Infinity;

/** A lease lives for its ttl beyond its holder's last activity; an open intent pins it. */
export function isHoldLive(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): boolean {
  // One that was taken under the other scope has ended with it.
  if (isTogether(changes) === (hold.at === undefined)) return false;
  if (!isAlive(changes, hold.agent, facts)) return false;
  const agent = changes.agent(hold.agent);
  if (agent !== undefined && (agent.epoch !== hold.epoch || isTurnGone(agent, facts))) return false;
  if (hold.command !== undefined && !(agent && isCommandLive(agent, hold.command, facts))) return false;
  if (pins(changes, path, hold, facts)) return true;
  if (hold.boot === facts.now.boot) return facts.now.mono_ms < expiresAt(changes, hold, facts);
  return (
    agent?.boot === hold.boot &&
    silence(agent, facts) < expiresAt(changes, hold, facts) - agent.active_mono_ms
  );
}

/** Monotonic milliseconds at which the lease ends if its holder does nothing more. */
export function expiresAt(changes: Changes, hold: Hold, facts: Facts): number {
  return lastActive(changes, hold, facts) + hold.ttl_ms;
}

/** A lease nobody has used for a while (no open intent, no open call, no hook) yields to whoever asks. */
export function isIdle(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): boolean {
  if (pins(changes, path, hold, facts) || hold.boot !== facts.now.boot) return false;
  // Nobody hears of a background command while it runs; what it writes to stays leased up to the ttl.
  if ((changes.agent(hold.agent)?.background.length ?? 0) > 0) return false;
  return facts.now.mono_ms - lastActive(changes, hold, facts) >= facts.policy.idle_ms;
}

/**
 * Monotonic milliseconds at which a live lease goes to whoever asks, if its holder does nothing more; `Infinity` under a
 * write in flight and on another boot's clock, where nothing here can tell.
 */
export function goesAt(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): number {
  if (pins(changes, path, hold, facts) || hold.boot !== facts.now.boot) return Infinity;
  const agent = changes.agent(hold.agent);
  const expires = Math.min(expiresAt(changes, hold, facts), agent ? turnGoneAt(agent) : Infinity);
  return agent?.background.length
    ? expires
    : Math.min(expires, lastActive(changes, hold, facts) + facts.policy.idle_ms);
}

export function isTicketLive(changes: Changes, ticket: Ticket, facts: Facts): boolean {
  const agent = changes.agent(ticket.agent);
  return (
    isTogether(changes) === (ticket.together === true) &&
    ticket.boot === facts.now.boot &&
    facts.now.mono_ms < ticket.until_mono_ms &&
    !isForsaken(ticket, facts) &&
    isAlive(changes, ticket.agent, facts) &&
    (agent === undefined || (agent.epoch === ticket.epoch && !isTurnGone(agent, facts)))
  );
}

/** Whoever waited with this ticket is certainly gone. */
export const isForsaken = ({ proc, also = [] }: Ticket, { isDead }: Facts): boolean =>
  proc !== undefined && [proc, ...also].every((mark) => isDead(mark));

const pins = (changes: Changes, path: RepoPath, hold: Hold, facts: Facts): boolean =>
  isWriting(changes, path, hold.agent, facts);

/** Whether a write of this file by this agent was approved and has not ended; in any checkout in which its lease counts. */
export function isWriting(changes: Changes, path: RepoPath, id: AgentId, facts: Facts): boolean {
  const isOpen = (own: RepoPath): boolean => {
    const { intent } = changes.path(own);
    return isIntentLive(changes, intent, facts) && intent.agent === id;
  };
  const isShared = Boolean(changes.get(SCOPE) ?? changes.agent(id)?.machine);
  return isOpen(path) || (isShared && writesBeside(changes, path, id).some(isOpen));
}

/** Up to when its holder counts as active if nothing more is heard of it: an open call reaches into the future. */
export function lastActive(changes: Changes, hold: Hold, facts: Facts): number {
  const agent = changes.agent(hold.agent);
  if (agent?.boot !== hold.boot) return hold.since_mono_ms;
  const isAlone = agent.calls === undefined && agent.children === undefined;
  return Math.max(hold.since_mono_ms, isAlone ? agent.active_mono_ms : activeUntil(changes, agent, facts));
}
