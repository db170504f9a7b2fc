import { rfc3339 } from '../rfc3339.ts';
import type { AgentId } from '../types.ts';
import type { OwnedReservation } from './reserved.ts';

/** Another agent in the way. `reservation_id` is `null` for a lease, or a place in the queue, on the file `pattern`. */
export interface Conflict {
  readonly reservation_id: string | null;
  readonly agent_id: AgentId;
  readonly pattern: string;
  readonly reason: string;
  readonly expires_at: string;
  /** Where that agent works, if leases count in all checkouts: a linked worktree, or '' for the main one. */
  readonly checkout?: string;
}

export const conflictWith = ({
  id,
  agent,
  pattern,
  reason,
  until_wall_ms,
  at,
}: OwnedReservation): Conflict => ({
  reservation_id: id,
  agent_id: agent,
  pattern,
  reason,
  expires_at: rfc3339(until_wall_ms),
  ...(at === undefined ? {} : { checkout: at }),
});

/** `reservation`: its time has ended, but a write approved under it has not. */
export const DOES = {
  hold: 'has locked this file',
  reservation: 'is writing this file',
  queue: 'waits for this file',
} as const;
