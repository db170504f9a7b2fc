/** Who may keep others off a path at this moment: leases, reservations, and those who have a turn at it. */
import { GLOBS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts, Mode, RepoPath } from '../types.ts';
import { outlookOf } from '../outlook.ts';
import { liveHolds, liveTickets } from './lease.ts';
import { allReserved } from './overlap.ts';
import { reservationsOn } from './reserved.ts';
import type { OwnedReservation } from './reserved.ts';

export interface Keeper {
  readonly agent: AgentId;
  readonly because: 'hold' | 'reservation';
  readonly mode: Mode;
  readonly token: number;
  readonly since: string;
  /** When it goes to whoever asks, if its holder does nothing more. */
  readonly expires_at: string;
  /** The command line (tool_use_id) that took the lease for itself. Absent: none did. */
  readonly command?: string;
  readonly reservation?: { readonly id: string; readonly pattern: string; readonly reason: string };
}

export interface PathStanding {
  /** Leases, oldest first, then reservations. */
  readonly keepers: readonly Keeper[];
  /** Who waits for it, or was promised it, in order. */
  readonly queue: readonly AgentId[];
}

/** @param view of everything */
export function standingOn(view: View, path: RepoPath, facts: Facts): PathStanding {
  const draft = draftOver(view);
  const reserved = draft.get(GLOBS) ? reservationsOn(draft, path, facts) : [];
  const queue = liveTickets(draft, path, facts).sort((a, b) => a.ticket - b.ticket);
  return {
    keepers: [...leasesOn(draft, path, facts), ...reserved.map(keeperOf)],
    queue: queue.map(({ agent }) => agent),
  };
}

/** @param view of everything */
export const reservedNow = (view: View, facts: Facts): Keeper[] => {
  const draft = draftOver(view);
  return draft.get(GLOBS) ? allReserved(draft, facts).map(keeperOf) : [];
};

function leasesOn(draft: Draft, path: RepoPath, facts: Facts): Keeper[] {
  const holds = [...liveHolds(draft, path, facts)].sort((a, b) => a.token - b.token);
  return holds.map((hold) => ({
    agent: hold.agent,
    because: 'hold',
    mode: hold.mode,
    token: hold.token,
    since: rfc3339(hold.since_wall_ms),
    expires_at: outlookOf(draft, path, hold, facts).expires_at,
    ...(hold.command === undefined ? {} : { command: hold.command }),
  }));
}

const keeperOf = (one: OwnedReservation): Keeper => ({
  agent: one.agent,
  because: 'reservation',
  mode: one.mode,
  token: one.token,
  since: rfc3339(one.since_wall_ms),
  expires_at: rfc3339(one.until_wall_ms),
  reservation: { id: one.id, pattern: one.scope + one.pattern, reason: one.reason },
});
