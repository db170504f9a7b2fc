/** Releases reservations: some, all, or those that overlap a pattern. Another agent's cannot be ended. */
import { parseGlob } from '../glob/parse.ts';
import { leaseIn } from '../lease-scope.ts';
import type { View } from '../ledger.ts';
import type { Negotiation } from '../mailbox.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { pathsHeldBy } from './held-paths.ts';
import { dropHolds } from './holds.ts';
import { isHolder } from './lease.ts';
import { allReserved, matchesIn, meetIn } from './overlap.ts';
import { keepPromises } from './promised.ts';
import { liveReservationsOf, type OwnedReservation, type ScopedPattern } from './reserved.ts';
import { indexReservations } from './reserved-index.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, type Looking, record, type Step } from './transaction.ts';

export interface UnreserveEvent {
  readonly type: 'unreserve';
  readonly who: Who;
  /** `null`: all of them. */
  readonly ids: readonly string[] | null;
}

/** An id that no agent holds counts as released; anything that is not a reservation's id does not. */
export interface Unreserved {
  readonly id: string;
  readonly released: boolean;
  readonly was_held: boolean;
  readonly is_unknown?: true;
}

export function unreserve(view: View, event: UnreserveEvent, facts: Facts): Step<readonly Unreserved[]> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const live = liveReservationsOf(changes, agent.id, facts);
  const ids = [...new Set(event.ids ?? live.map(({ id }) => id))];
  const ended = live.filter(({ id }) => ids.includes(id));
  if (ended.length > 0) end(tx, { paths: [], reservations: ended });
  keepPromises(tx, { paths: [], reservations: ended });
  // Whether another agent has it is known only from all reservations.
  const isOwn = (id: string): boolean => ended.some((one) => one.id === id);
  const others = new Set(ids.every(isOwn) ? [] : allReserved(changes, facts).map(({ id }) => id));
  const results = ids.map((id): Unreserved => {
    const was_held = isOwn(id);
    if (!/^r-\d{1,15}$/.test(id)) return { id, released: false, was_held: false, is_unknown: true };
    return { id, released: was_held || !others.has(id), was_held };
  });
  return answer(tx, results);
}

/** Records the end of reservations and of leases on files, and keeps the other reservations. */
function end(tx: Acting, { paths, reservations: ended }: HeldOver): void {
  const { changes, agent, facts } = tx;
  if (ended.length > 0) {
    const live = liveReservationsOf(changes, agent.id, facts);
    const left = live.filter((one) => !ended.some(({ id }) => id === one.id));
    indexReservations(changes, agent.id, left);
  }
  record(tx, 'release', {
    ...(paths.length > 0 ? { paths } : {}),
    ...(ended.length > 0
      ? { reservations: ended.map(({ id }) => id), patterns: ended.map((one) => one.scope + one.pattern) }
      : {}),
  });
}

/** `pattern`: a file or a glob. */
export interface ReleaseOverEvent extends ScopedPattern {
  readonly type: 'release.over';
  readonly who: Who;
}

/** What actually ended. */
export interface ReleasedOver {
  readonly reservations: readonly { readonly id: string; readonly pattern: string }[];
  readonly paths: readonly RepoPath[];
}

/** Releases everything the agent holds that overlaps the pattern; a wider reservation ends as a whole. */
export function releaseOver(view: View, event: ReleaseOverEvent, facts: Facts): Step<ReleasedOver> {
  const tx = transactionOf(view, event.who, facts);
  const held = heldOver(tx, tx.agent.id, event);
  const released = dropOver(tx, held);
  keepPromises(tx, held);
  return answer(tx, released);
}

/** An agent's holdings within a pattern. */
export interface HeldOver {
  readonly reservations: readonly OwnedReservation[];
  readonly paths: readonly RepoPath[];
}

/** Ends the given holdings, and returns them. */
export function dropOver(tx: Acting, held: HeldOver): ReleasedOver {
  const { reservations, paths } = held;
  for (const path of paths) dropHolds(tx.changes, path, tx.agent.id);
  if (paths.length + reservations.length > 0) end(tx, held);
  return { reservations: reservations.map(({ id, pattern }) => ({ id, pattern })), paths };
}

/** The agent's holdings that have a path in common with the pattern. */
export function heldOver(looking: Looking, agent: AgentId, over: ScopedPattern): HeldOver {
  const { view, changes, facts } = looking;
  const { pattern } = over;
  const scope = leaseIn(changes, over.scope);
  const glob = parseGlob(pattern);
  return {
    reservations: liveReservationsOf(changes, agent, facts).filter((one) => meetIn(one, scope, glob)),
    paths: pathsHeldBy(view, changes, agent, facts)
      .filter((path) => isHolder(changes, path, agent, facts))
      .filter((path) => matchesIn(scope, glob, path)),
  };
}

/** Whether the agent that was asked still holds some of it. */
export function isStillHeld(looking: Looking, { to, over }: Pick<Negotiation, 'to' | 'over'>): boolean {
  if (!over) return false;
  const { reservations, paths } = heldOver(looking, to, over);
  return reservations.length + paths.length > 0;
}
