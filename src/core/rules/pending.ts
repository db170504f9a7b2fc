/** Requests that are not settled, as they are now. */
import { GLOBS, PATHS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentId, Facts } from '../types.ts';
import { inboxOf } from './mail.ts';
import { heldOver } from './unreserve.ts';
import { placeOfPath } from './reserved.ts';

export interface PendingTalk {
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
export function pendingOf(view: View, agent: AgentId, facts: Facts): PendingTalk[] {
  const draft = draftOver(view);
  const { talks } = inboxOf(draft, agent);
  if (talks.length === 0) return [];
  const keys = [...view.range(PATHS), ...view.range(GLOBS)].map(([key]) => key);
  return talks.map(({ path, since_wall_ms, thread_id, file, from, to, urgency, deferred, eta_minutes }) => {
    const place = path === null ? null : placeOfPath(path);
    const held = place === null ? null : heldOver(draft, to, place.scope, literal(place.rel), keys, facts);
    return {
      ...{ thread_id, file, from, to, urgency, deferred, eta_minutes },
      since: rfc3339(since_wall_ms),
      is_free: held !== null && held.paths.length + held.reservations.length === 0,
    };
  });
}

const literal = (path: string): string => path.replace(/[*?[\]{}\\]/g, '\\$&');
