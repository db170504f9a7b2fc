/** Which agents are alive, and which leases and intents count. When in doubt, an agent is alive. */
import { activeUntil } from './acting.ts';
import { isTogether, SCOPE } from './lease-scope.ts';
import { writesBeside } from './writes-beside.ts';
import { isElsewhere, isUp } from './up.ts';
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Facts, Hold, Intent, RepoPath, Ticket } from './types.ts';

/** False only if the agent left, its boot has ended, its process is certainly gone, or its parent is not alive. */
export function isAlive(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  if (agent === undefined) return true;
  if (!isUp(changes, agent, facts)) return false;
  const parent = agent.parent === null ? undefined : changes.agent(agent.parent);
  return parent === undefined || isUp(changes, parent, facts);
}

/**
 * An intent lives until its agent's op is a different one, or the agent is gone. If nothing will ever report for
 * certain that it is gone (no known process, as with clients up to 2.1.100, or another machine), a ttl of silence ends
 * it.
 */
export function isIntentLive(changes: Changes, intent: Intent | null, facts: Facts): intent is Intent {
  if (intent === null || !isAlive(changes, intent.agent, facts)) return false;
  const agent = changes.agent(intent.agent);
  // Compaction has forgotten it, a month after its last sign of life (forget.ts).
  if (agent === undefined) return false;
  if (agent.op?.id !== intent.op && !isCommandLive(agent, intent.op, facts)) return false;
  return (
    (agent.proc !== null && !isElsewhere(agent, facts)) ||
    silence(agent, facts) < (intent.ttl_ms ?? facts.policy.ttl_ms)
  );
}

/** A background command lives as long as its task; any other until its end, or for the longest its client allows. */
export function isCommandLive(agent: AgentState, op: string, facts: Facts): boolean {
  const one = agent.commands?.find(({ id }) => id === op);
  if (one === undefined) return false;
  if (one.task !== undefined) return agent.background.includes(one.task);
  const { since_mono_ms, since_wall_ms, until_mono_ms } = one;
  return passedSince(agent, since_mono_ms, since_wall_ms, facts) < until_mono_ms - since_mono_ms;
}

/**
 * Milliseconds since a moment in the agent's life. Between two machines that share only a directory, the wall clocks
 * are the next best measure. If the engine's clock has replaced an earlier one, at least as much time has passed as the
 * new clock shows.
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
 * The turn has ended, and nothing revoked that in time. On another machine's clock, it ended as long ago as the agent
 * has been silent, because both moments were recorded together there.
 */
export const isTurnGone = (agent: AgentState, facts: Facts): boolean =>
  silence(agent, facts) >= turnGoneAt(agent) - agent.active_mono_ms;

/** On the clock of the engine or the boot; `Infinity` while the turn continues. */
export const turnGoneAt = ({ turn_over: over, turn }: AgentState): number =>
  over && (over.turn ?? turn) === turn ? over.gone_mono_ms : Infinity;

/** A lease lives for its ttl after its holder's last activity; an open intent keeps it alive. */
export function isHoldLive(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): boolean {
  // A lease that was taken under the other scope ended when the scope changed.
  if (isTogether(changes) === (hold.at === undefined)) return false;
  if (!isAlive(changes, hold.agent, facts)) return false;
  const agent = changes.agent(hold.agent);
  if (agent !== undefined && (agent.epoch !== hold.epoch || isTurnGone(agent, facts))) return false;
  if (hold.command !== undefined && !(agent && isCommandLive(agent, hold.command, facts))) return false;
  if (isWriting(changes, path, hold.agent, facts)) return true;
  if (hold.boot === facts.now.boot) return facts.now.mono_ms < expiresAt(changes, hold, facts);
  return (
    agent?.boot === hold.boot &&
    silence(agent, facts) < expiresAt(changes, hold, facts) - agent.active_mono_ms
  );
}

/** The monotonic time in milliseconds at which the lease expires if its holder does nothing more. */
export function expiresAt(changes: Changes, hold: Hold, facts: Facts): number {
  return lastActive(changes, hold, facts) + hold.ttl_ms;
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

/** Every process that waited with this ticket is certainly dead. */
export const isForsaken = ({ proc, also = [] }: Ticket, { isDead }: Facts): boolean =>
  proc !== undefined && [proc, ...also].every((mark) => isDead(mark));

/** Whether this agent's write of this file was approved and has not ended, in any checkout where its lease counts. */
export function isWriting(changes: Changes, path: RepoPath, id: AgentId, facts: Facts): boolean {
  const isOpen = (own: RepoPath): boolean => {
    const { intent } = changes.path(own);
    return isIntentLive(changes, intent, facts) && intent.agent === id;
  };
  const isShared = Boolean(changes.get(SCOPE) ?? changes.agent(id)?.machine);
  return isOpen(path) || (isShared && writesBeside(changes, path, id).some(isOpen));
}

/** Until when the holder counts as active if no further event arrives; an open call extends this into the future. */
export function lastActive(changes: Changes, hold: Hold, facts: Facts): number {
  const agent = changes.agent(hold.agent);
  if (agent?.boot !== hold.boot) return hold.since_mono_ms;
  const isAlone = agent.calls === undefined && agent.children === undefined;
  return Math.max(hold.since_mono_ms, isAlone ? agent.active_mono_ms : activeUntil(changes, agent, facts));
}
