/** Requests that are not settled, as they are now. */
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, Facts } from '../types.ts';
import { pathsHeldBy } from './held-paths.ts';
import { inboxOf } from './mail.ts';
import { heldOver } from './unreserve.ts';

export interface PendingNegotiation {
  readonly thread_id: string;
  readonly file: string;
  readonly from: AgentId;
  readonly to: AgentId;
  readonly urgency: 'normal' | 'urgent';
  readonly since: string;
  readonly deferred: boolean;
  readonly eta_minutes: number | null;
  /** Whoever was asked holds it no longer. */
  readonly is_free: boolean;
}

/** @param view of everything */
export function pendingOf(view: View, agent: AgentId, facts: Facts): PendingNegotiation[] {
  const draft = draftOver(view);
  const { talks } = inboxOf(draft, agent);
  if (talks.length === 0) return [];
  const held_by = new Map(
    [...new Set(talks.map(({ to }) => to))].map((to) => [to, pathsHeldBy(view, draft, to, facts)]),
  );
  return talks.map(({ over, since_wall_ms, thread_id, file, from, to, urgency, deferred, eta_minutes }) => {
    const held = !over ? null : heldOver(draft, to, over.scope, over.pattern, held_by.get(to) ?? [], facts);
    return {
      ...{ thread_id, file, from, to, urgency, deferred, eta_minutes },
      since: rfc3339(since_wall_ms),
      is_free: held !== null && held.paths.length + held.reservations.length === 0,
    };
  });
}
