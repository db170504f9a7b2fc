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
  (agent === undefined ? allReserved(changes, facts) : reservedBy(changes, [agent], facts)).map(
    reservationReport,
  );

export const reservationReport = (one: OwnedReservation): ReservationReport => ({
  id: one.id,
  agent_id: one.agent,
  path_pattern: one.scope + one.pattern,
  exclusive: one.mode === 'exclusive',
  reason: one.reason,
  since: rfc3339(one.since_wall_ms),
  expires_at: rfc3339(one.until_wall_ms),
  is_active: true,
  ...(one.at === undefined ? {} : { checkout: one.at }),
});
