/**
 * Whether a look at the ledger could help a waiter, decided by the same rules on remembered states. A guess that needs
 * no lock and no file: only the look itself grants, queues and finds deadlocks.
 */
import { isTicketLive } from '../alive.ts';
import { goesAt } from '../yielding.ts';
import { GLOBS } from '../keys.ts';
import { leaseIn } from '../lease-scope.ts';
import type { View } from '../ledger.ts';
import { clashes } from '../modes.ts';
import { asProfile, profileKey } from '../profiles.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, AgentState, Facts, Mode, RepoPath, Ticket } from '../types.ts';
import { family, sureAt } from './children.ts';
import { claim, liveHolds } from './lease.ts';
import { RENEW_MS } from './tickets.ts';
import type { Acting, Seeing } from './transaction.ts';

/** One wait: for one path, or for all of several. */
export interface WaitFor {
  readonly agent: AgentId;
  readonly paths: readonly RepoPath[];
  readonly mode: Mode;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
}

/** `looked_mono_ms`: the time of its last look. */
export interface Waits extends WaitFor {
  readonly looked_mono_ms: number;
}

export interface Prospect {
  /** A look would grant, renew a place, or end the wait. */
  readonly due: boolean;
  /** When that may become true without a record or a death: a ticket or a lease that expires. */
  readonly next_mono_ms: number;
}

const DUE: Prospect = { due: true, next_mono_ms: 0 };

export function prospectOf(view: View, wait: Waits, facts: Facts): Prospect {
  const changes = changesOver(view);
  const agent = changes.agent(wait.agent);
  if (agent === undefined || isOver(changes, wait, facts)) return DUE;
  const tx = { changes, agent, facts };
  const paths = wait.paths.map((path) => leaseIn(changes, path));
  const all = paths.map((path) => prospectOn(tx, path, wait));
  // All or none: one blocked path makes a look pointless, unless a place must be taken or renewed.
  const due = all.some(({ stands }) => stands === 'unplaced') || all.every(({ stands }) => stands === 'free');
  const sure = paths.flatMap((path) => sureAround(changes, path, agent, facts));
  const isNews = sure.some((at) => wait.looked_mono_ms < at && at <= facts.now.mono_ms);
  const moments = [...all.map(({ next_mono_ms }) => next_mono_ms), ...sure];
  const later = moments.filter((at) => at > facts.now.mono_ms);
  return { due: due || isNews, next_mono_ms: Math.min(...later, Infinity) };
}

/** When a cycle through a holder's subagent, or through agents that may have started this one, can become certain. */
function sureAround(changes: Changes, path: RepoPath, { id, parent }: AgentState, facts: Facts): number[] {
  const holders = changes.path(path).holds.map((hold) => hold.agent);
  // Subagents start others too, and clients name only the session as a parent.
  const starters = parent === null ? [] : [parent, ...family(changes, id).flatMap(({ by }) => by ?? [])];
  const others = new Set([...holders, ...starters].filter((other) => other !== id));
  return [...others].flatMap((other) => sureAt(changes.agent(other), facts));
}

/** It has a verdict that it does not know yet, or a parallel command made it leave. */
function isOver(changes: Changes, { agent, since_mono_ms }: WaitFor, { now }: Facts): boolean {
  if ((changes.wait(agent).verdicts ?? []).some(({ told }) => !told)) return true;
  const { left } = asProfile(changes.get(profileKey(agent)));
  return left !== undefined && left.boot === now.boot && left.mono_ms >= since_mono_ms;
}

interface OnPath {
  readonly stands: 'free' | 'blocked' | 'unplaced';
  readonly next_mono_ms: number;
}

function prospectOn(tx: Acting, path: RepoPath, wait: WaitFor): OnPath {
  const { changes, agent, facts } = tx;
  const { queue } = changes.path(path);
  const own = queue.find((ticket) => ticket.agent === agent.id);
  if (own === undefined || !isTicketLive(changes, own, facts)) {
    const isHeld = claim(tx, path, wait.mode).verdict === 'held';
    return { stands: isHeld ? 'free' : 'unplaced', next_mono_ms: 0 };
  }
  const renew_mono_ms = own.until_mono_ms < wait.until_mono_ms ? own.until_mono_ms - RENEW_MS : Infinity;
  if (renew_mono_ms <= facts.now.mono_ms) return { stands: 'unplaced', next_mono_ms: 0 };
  const before = hasRelations(changes, path, agent) ? undefined : lastBefore(tx, path, own, wait.mode);
  if (before !== undefined)
    return { stands: 'blocked', next_mono_ms: Math.min(renew_mono_ms, before.until_mono_ms) };
  if (claim(tx, path, wait.mode).verdict !== 'blocked')
    return { stands: 'free', next_mono_ms: renew_mono_ms };
  return { stands: 'blocked', next_mono_ms: Math.min(renew_mono_ms, firstToGo(changes, path, agent, facts)) };
}

/** An agent that inherits a path, reserved it or already holds it may go before others: only `claim` can tell. */
const hasRelations = (changes: Changes, path: RepoPath, { id, parent }: AgentState): boolean =>
  parent !== null ||
  changes.get(GLOBS) !== undefined ||
  changes.path(path).holds.some((hold) => hold.agent === id);

/** The last waiter that is served earlier; as long as it is queued, nothing else needs to be known. */
function lastBefore({ changes, facts }: Seeing, path: RepoPath, own: Ticket, mode: Mode): Ticket | undefined {
  return changes
    .path(path)
    .queue.filter((ticket) => ticket.ticket < own.ticket && clashes(ticket.mode, mode))
    .sort((a, b) => b.ticket - a.ticket)
    .find((ticket) => isTicketLive(changes, ticket, facts));
}

const firstToGo = (changes: Changes, path: RepoPath, { id }: AgentState, facts: Facts): number =>
  Math.min(
    Infinity,
    ...liveHolds(changes, path, facts)
      .filter((hold) => hold.agent !== id)
      .map((hold) => goesAt(changes, path, hold, facts)),
  );

/** The agents in the way now, for observers of a wait. */
export function inTheWay(view: View, wait: WaitFor, facts: Facts): AgentId[] {
  const changes = changesOver(view);
  const agent = changes.agent(wait.agent);
  if (agent === undefined) return [];
  const claims = wait.paths.map((path) => claim({ changes, agent, facts }, path, wait.mode));
  return [...new Set(claims.flatMap((one) => (one.verdict === 'blocked' ? one.blocked.holders : [])))];
}
