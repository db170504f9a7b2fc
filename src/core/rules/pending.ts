/** Unsettled requests, as they are now. */
import type { View } from '../ledger.ts';
import { changesOver } from '../states.ts';
import type { Negotiation } from '../mailbox.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts } from '../types.ts';
import { inboxOf } from './mail.ts';
import { isStillHeld } from './unreserve.ts';

type Told = 'thread_id' | 'file' | 'from' | 'to' | 'urgency' | 'deferred' | 'eta_minutes';

export interface PendingNegotiation extends Pick<Negotiation, Told> {
  readonly since: string;
  /** The agent that was asked no longer holds it. */
  readonly is_free: boolean;
}

/** @param view a view of the whole ledger */
export function pendingOf(view: View, agent: AgentId, facts: Facts): PendingNegotiation[] {
  const changes = changesOver(view);
  const { talks } = inboxOf(changes, agent);
  return talks.map(({ over, since_wall_ms, thread_id, file, from, to, urgency, deferred, eta_minutes }) => ({
    ...{ thread_id, file, from, to, urgency, deferred, eta_minutes },
    since: rfc3339(since_wall_ms),
    is_free: Boolean(over) && !isStillHeld({ view, changes, facts }, { to, over }),
  }));
}
