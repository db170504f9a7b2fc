/** Requests that nobody settled in time. Advice: nothing is taken away; by configuration it is put on record, or said again. */
import { TIMEOUT_MINUTES } from '../limits.ts';
import type { Negotiation } from '../mailbox.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { change, changeTalk, inboxOf } from './mail.ts';

export interface Expired {
  readonly thread_id: string;
  readonly file: string;
  readonly to: AgentId;
  readonly urgency: Negotiation['urgency'];
  readonly age_minutes: number;
  readonly deferred: boolean;
}

/** Those the agent made and those made to it. Both inboxes must be in view. */
export function expiredOf(draft: Draft, agent: AgentId, facts: Facts): Expired[] {
  const late = inboxOf(draft, agent).talks.filter(
    (talk) => ageOf(talk, facts) > TIMEOUT_MINUTES[talk.urgency],
  );
  if ((facts.policy.escalate ?? 'off') !== 'off') late.forEach((talk) => escalate(draft, agent, talk, facts));
  return late.map((talk) => ({
    thread_id: talk.thread_id,
    file: talk.file,
    to: talk.to,
    urgency: talk.urgency,
    age_minutes: Math.floor(ageOf(talk, facts)),
    deferred: talk.deferred,
  }));
}

const ageOf = ({ since_wall_ms }: Negotiation, { now }: Facts): number =>
  (now.wall_ms - since_wall_ms) / 60_000;

/** Once, and only where no answer came at all. */
function escalate(draft: Draft, by: AgentId, talk: Negotiation, facts: Facts): void {
  if (talk.escalated || talk.deferred) return;
  const { thread_id, file, from, to, urgency } = talk;
  for (const agent of new Set([from, to])) changeTalk(draft, agent, talk, { escalated: true });
  const { heads } = inboxOf(draft, to);
  if (facts.policy.escalate === 'remind') {
    const again = { told: false, importance: 'urgent' } as const;
    change(draft, to, {
      heads: heads.map((head) => (head.thread_id === thread_id ? { ...head, ...again } : head)),
    });
  }
  const age_minutes = Math.floor(ageOf(talk, facts));
  draft.record({
    type: 'escalate',
    agent: by,
    ts_ms: facts.now.wall_ms,
    thread: thread_id,
    file,
    from,
    to,
    urgency,
    age_minutes,
  });
}
