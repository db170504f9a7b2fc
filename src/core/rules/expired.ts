/** Requests that were not settled in time. Nothing is taken away; if configured, they are recorded or repeated. */
import { TIMEOUT_MINUTES } from '../limits.ts';
import type { Negotiation } from '../mailbox.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { change, changeNegotiation, inboxOf } from './mail.ts';
import { record } from './transaction.ts';

export interface Expired extends Pick<Negotiation, 'thread_id' | 'file' | 'to' | 'urgency' | 'deferred'> {
  readonly age_minutes: number;
}

/** Requests by this agent and to it. Both inboxes must be in the view. */
export function expiredOf(changes: Changes, agent: AgentId, facts: Facts): Expired[] {
  const late = inboxOf(changes, agent).talks.filter(
    (negotiation) => ageOf(negotiation, facts) > TIMEOUT_MINUTES[negotiation.urgency],
  );
  if ((facts.policy.escalate ?? 'off') !== 'off')
    late.forEach((negotiation) => escalate(changes, agent, negotiation, facts));
  return late.map((negotiation) => {
    const { thread_id, file, to, urgency, deferred } = negotiation;
    return { thread_id, file, to, urgency, age_minutes: Math.floor(ageOf(negotiation, facts)), deferred };
  });
}

const ageOf = ({ since_wall_ms }: Negotiation, { now }: Facts): number =>
  (now.wall_ms - since_wall_ms) / 60_000;

/** Once, and only if there was no answer at all. */
function escalate(changes: Changes, by: AgentId, negotiation: Negotiation, facts: Facts): void {
  if (negotiation.escalated || negotiation.deferred) return;
  const { thread_id, file, from, to, urgency } = negotiation;
  for (const agent of new Set([from, to]))
    changeNegotiation(changes, agent, negotiation, { escalated: true });
  const { heads } = inboxOf(changes, to);
  if (facts.policy.escalate === 'remind') {
    const again = { told: false, importance: 'urgent' } as const;
    change(changes, to, {
      heads: heads.map((head) => (head.thread_id === thread_id ? { ...head, ...again } : head)),
    });
  }
  const age_minutes = Math.floor(ageOf(negotiation, facts));
  const named = { changes, agent: { id: by }, facts };
  record(named, 'escalate', { thread: thread_id, file, from, to, urgency, age_minutes });
}
