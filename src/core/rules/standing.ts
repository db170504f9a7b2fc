/** Which agents may keep others off a path at this moment: by leases, reservations, and turns in its queue. */
import { GLOBS } from '../keys.ts';
import type { View } from '../ledger.ts';
import type { LeaseReport } from '../leases.ts';
import { type Changes, changesOver, readOnce } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts, Mode, RepoPath } from '../types.ts';
import { outlookOf } from '../outlook.ts';
import { takenThere } from '../taken-in.ts';
import { reservedOver, liveHolds, liveTickets } from './lease.ts';
import { allReserved } from './overlap.ts';
import type { OwnedReservation } from './reserved.ts';

export interface Keeper {
  readonly agent: AgentId;
  readonly because: 'hold' | 'reservation';
  readonly mode: Mode;
  readonly token: number;
  readonly since: string;
  /** When it yields to another agent if its holder does nothing more. */
  readonly expires_at: string;
  /** The tool_use_id of the command line that took the lease for itself. Absent: none. */
  readonly command?: string;
  /** Where its holder took it, if it counts in other checkouts too ('' is the main one). */
  readonly checkout?: string;
  readonly reservation?: { readonly id: string; readonly pattern: string; readonly reason: string };
}

export interface PathStanding {
  /** Leases, oldest first, then reservations. */
  readonly keepers: readonly Keeper[];
  /** The agents that wait for it or were promised it, in order. */
  readonly queue: readonly AgentId[];
}

/** @param view a view of the whole ledger */
export function standingOn(view: View, path: RepoPath, facts: Facts): PathStanding {
  const changes = changesOver(view);
  return standing(changes, path, facts, leasesOn(changes, path, facts));
}

/** The same for many paths whose leases are known. @param view a view of the whole ledger */
export function standings(
  view: View,
  facts: Facts,
): (path: RepoPath, leases: readonly LeaseReport[]) => PathStanding {
  const changes = readOnce(changesOver(view));
  return (path, leases) =>
    standing(changes, path, facts, [...leases].sort((a, b) => a.token - b.token).map(leaseKeeper));
}

function standing(changes: Changes, path: RepoPath, facts: Facts, leases: readonly Keeper[]): PathStanding {
  const reserved = reservedOver(changes, path, facts);
  const queue = liveTickets(changes, path, facts).sort((a, b) => a.ticket - b.ticket);
  return { keepers: [...leases, ...reserved.map(keeperOf)], queue: queue.map(({ agent }) => agent) };
}

/** @param view a view of the whole ledger */
export const reservedNow = (view: View, facts: Facts): Keeper[] => {
  const changes = changesOver(view);
  return changes.get(GLOBS) ? allReserved(changes, facts).map(keeperOf) : [];
};

function leasesOn(changes: Changes, path: RepoPath, facts: Facts): Keeper[] {
  const holds = [...liveHolds(changes, path, facts)].sort((a, b) => a.token - b.token);
  return holds.map((hold) =>
    leaseKeeper({
      holder: hold.agent,
      ...{ mode: hold.mode, token: hold.token, since: rfc3339(hold.since_wall_ms) },
      expires_at: outlookOf(changes, path, hold, facts).expires_at,
      ...(hold.command === undefined ? {} : { command: hold.command }),
      ...takenThere(hold),
    }),
  );
}

type Kept = 'holder' | 'mode' | 'token' | 'since' | 'expires_at' | 'command' | 'checkout';

const leaseKeeper = (one: Pick<LeaseReport, Kept>): Keeper => ({
  agent: one.holder,
  because: 'hold',
  ...{ mode: one.mode, token: one.token, since: one.since, expires_at: one.expires_at },
  ...(one.command === undefined ? {} : { command: one.command }),
  ...(one.checkout === undefined ? {} : { checkout: one.checkout }),
});

const keeperOf = (one: OwnedReservation): Keeper => ({
  agent: one.agent,
  because: 'reservation',
  mode: one.mode,
  token: one.token,
  since: rfc3339(one.since_wall_ms),
  expires_at: rfc3339(one.until_wall_ms),
  reservation: { id: one.id, pattern: one.scope + one.pattern, reason: one.reason },
  ...(one.at === undefined ? {} : { checkout: one.at }),
});
