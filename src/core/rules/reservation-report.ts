// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Reservations as shown to people and programs. */
import type { Changes } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts } from '../types.ts';
import { allReserved, reservedBy } from './overlap.ts';
import type { OwnedReservation } from './reserved.ts';

export interface ReservationReport {
  readonly id: string;
  readonly agent_id: string;
  /** Preceded by its checkout if that is a linked worktree. */
  readonly path_pattern: string;
  readonly exclusive: boolean;
  readonly reason: string;
  readonly since: string;
  readonly expires_at: string;
  readonly is_active: boolean;
  /** It counts in all checkouts, and was made in this one ('' is the main one). Absent: it counts in its own. */
  readonly checkout?: string;
}

/** Live reservations, oldest first; of one agent, or of all. */
export const reservationReports = (changes: Changes, facts: Facts, agent?: AgentId): ReservationReport[] =>
  (agent === undefined ? allReserved(changes, facts) : reservedBy(changes, [agent], facts)).map(reporter());

export const reservationReport = (one: OwnedReservation): ReservationReport => reporter()(one);

/** What was reserved together begins and ends together, and there may be ten thousand. */
function reporter(): (one: OwnedReservation) => ReservationReport {
  const [since, until] = [sameAgain(rfc3339), sameAgain(rfc3339)];
  return (one) => reportOf(one, since(one.since_wall_ms), until(one.until_wall_ms));
}

function sameAgain<A, B>(make: (of: A) => B): (of: A) => B {
  let last: { readonly of: A; readonly made: B } | undefined;
  return (of) => (last = last?.of === of ? last : { of, made: make(of) }).made;
}

const reportOf = (one: OwnedReservation, since: string, expires_at: string): ReservationReport => ({
  id: one.id,
  agent_id: one.agent,
  path_pattern: one.scope + one.pattern,
  exclusive: one.mode === 'exclusive',
  reason: one.reason,
  ...{ since, expires_at },
  is_active: true,
  ...(one.at === undefined ? {} : { checkout: one.at }),
});
