/**
 * Which agent may hold a path: the one place that grants or refuses a lease (promise P2, design section 7). A grant is
 * re-entrant for its holder, shared leases coexist, no waiter overtakes an earlier live ticket, an idle lease yields,
 * and a subagent may take over from its own session's main agent.
 */
import { GLOBS } from '../keys.ts';
import { isHoldLive, isTicketLive, isWriting } from '../alive.ts';
import { isIdle } from '../yielding.ts';
import { leaseIn } from '../lease-scope.ts';
import { clashes } from '../modes.ts';
import type { Changes } from '../states.ts';
import { type Blocked, byHolders, byTickets, joinedBlocks } from './blocked.ts';
import { reservationsOn, reservedHere } from './reserved.ts';
import type { AgentId, Facts, Hold, Mode, RepoPath, Ticket } from '../types.ts';
import type { Acting } from './transaction.ts';

export interface Free {
  readonly verdict: 'free';
  readonly keep: readonly Hold[];
  readonly yielded: readonly Hold[];
  /** The agent's own exclusive reservation covers it. */
  readonly reserved: boolean;
}

export type Claim =
  | { readonly verdict: 'held'; readonly hold: Hold }
  | Free
  | { readonly verdict: 'blocked'; readonly blocked: Blocked };

/** Live leases on a path, oldest first. */
export function liveHolds(changes: Changes, path: RepoPath, facts: Facts): Hold[] {
  return changes.path(leaseIn(changes, path)).holds.filter((hold) => isHoldLive(changes, path, hold, facts));
}

/** Whether the agent has a lease on the path, shared or not. */
export const isHolder = (changes: Changes, path: RepoPath, agent: AgentId, facts: Facts): boolean =>
  liveHolds(changes, path, facts).some((hold) => hold.agent === agent);

/** Live reservations that cover a path, oldest first; skipped if there are no reservations at all. */
export const reservedOver = (
  changes: Changes,
  path: RepoPath,
  facts: Facts,
): ReturnType<typeof reservationsOn> => (changes.get(GLOBS) ? reservationsOn(changes, path, facts) : []);

/** Whether the agent holds the path by a lease or a reservation. */
export const keeps = (changes: Changes, path: RepoPath, agent: AgentId, facts: Facts): boolean =>
  isHolder(changes, path, agent, facts) ||
  reservedOver(changes, path, facts).some((one) => one.agent === agent);

/** The agent's lease that covers a write, if it has one. */
export function coveringHold(
  changes: Changes,
  path: RepoPath,
  agent: AgentId,
  facts: Facts,
): Hold | undefined {
  return liveHolds(changes, path, facts).find((hold) => hold.agent === agent && hold.mode === 'exclusive');
}

/** Whether the agent may hold the path in this mode now. */
export function claim(tx: Acting, path: RepoPath, mode: Mode): Claim {
  const { changes, agent, facts } = tx;
  const live = liveHolds(changes, path, facts);
  const mine = live.find((hold) => hold.agent === agent.id);
  if (mine !== undefined && (mine.mode === 'exclusive' || mode === 'shared'))
    return { verdict: 'held', hold: mine };
  const others = live.filter((hold) => hold.agent !== agent.id);
  const yielded = others.filter((hold) => yields(tx, path, hold));
  const against = others.filter((hold) => !yielded.includes(hold) && clashes(hold.mode, mode));
  const reserved = changes.get(GLOBS) ? reservedHere(tx, path, mode) : null;
  if (against.length > 0)
    return {
      verdict: 'blocked',
      blocked: joinedBlocks(byHolders(changes, path, against, facts), reserved?.blocked),
    };
  if (reserved?.blocked) return { verdict: 'blocked', blocked: reserved.blocked };
  // A transfer within a session takes no other agent's turn.
  const inherits = reserved?.is_inside === true || yielded.some((hold) => hold.agent === agent.parent);
  const ahead = mine === undefined && !inherits ? ticketsAhead(tx, path, mode) : [];
  if (ahead.length > 0) return { verdict: 'blocked', blocked: byTickets(ahead, facts) };
  const takes = yielded.filter((hold) => clashes(hold.mode, mode));
  const keep = others.filter((hold) => !takes.includes(hold));
  return { verdict: 'free', keep, yielded: takes, reserved: reserved?.is_own === true };
}

export function yields({ changes, agent: asker, facts }: Acting, path: RepoPath, hold: Hold): boolean {
  if (isIdle(changes, path, hold, facts)) return true;
  return asker.parent === hold.agent && !isWriting(changes, path, hold.agent, facts);
}

/** Tickets in the queue of a path that still count. */
export const liveTickets = (changes: Changes, path: RepoPath, facts: Facts): Ticket[] =>
  changes.path(leaseIn(changes, path)).queue.filter((ticket) => isTicketLive(changes, ticket, facts));

/** The tickets whose turn comes before this agent's, whether or not it waits. */
export function ticketsAhead({ changes, agent, facts }: Acting, path: RepoPath, mode: Mode): Ticket[] {
  const live = liveTickets(changes, path, facts);
  const own = live.find((ticket) => ticket.agent === agent.id);
  return live.filter(
    (ticket) =>
      ticket.agent !== agent.id &&
      clashes(ticket.mode, mode) &&
      (own === undefined || ticket.ticket < own.ticket),
  );
}

/** The agent's own reservation already is its lock. If a lease must end first, taking the file's lock ends it. */
export const isReserved = (claimed: Claim): boolean =>
  claimed.verdict === 'free' && claimed.reserved && !takesOver(claimed);

/** It takes the path from an idle holder or from its parent. */
export const takesOver = (claimed: Claim): boolean =>
  claimed.verdict === 'free' && claimed.yielded.length > 0;
