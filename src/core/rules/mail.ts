/** Puts messages into inboxes, within their limits. */
import {
  asInbox,
  asThread,
  fieldsOf,
  inboxKey,
  isSameNegotiation,
  messageKey,
  messageKindOf,
  storedInbox,
  threadKey,
} from '../mailbox.ts';
import type { Inbox, InboxEntry, Message, Negotiation, NegotiationParties } from '../mailbox.ts';
import { INBOX_MAX, MESSAGES_PER_MINUTE, RECEIVERS_AS_ONE, TALKS_MAX, THREAD_MAX } from '../limits.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { type Granting, record } from './transaction.ts';

export type Outgoing = Pick<Message, 'to' | 'topic' | 'subject' | 'body' | 'importance' | 'ack_required'> & {
  /** `null`: the message begins its own thread. */
  readonly thread_id: string | null;
};

export interface Sent {
  readonly id: string;
  readonly thread_id: string;
  readonly delivered: readonly AgentId[];
  /** Receivers that block this sender. */
  readonly blocked: readonly AgentId[];
  /** `STILL_HELD`: the message claims that something is released, but it is not. */
  readonly error: 'RATE_LIMITED' | 'BLOCKED' | 'NOBODY' | 'STILL_HELD' | null;
}

export const inboxOf = (changes: Changes, agent: AgentId): Inbox => asInbox(changes.get(inboxKey(agent)));

/** Delivers and records a message; if it is refused, the refusal is returned and nothing changes. */
export function post(tx: Granting, message: Outgoing): Sent {
  const { changes, facts } = tx;
  const from = tx.agent.id;
  const id = `m-${tx.next}`;
  const thread_id = message.thread_id ?? id;
  const others = [...new Set(message.to)].filter((agent) => agent !== from || message.to.length === 1);
  const blocked = others.filter((agent) => inboxOf(changes, agent).blocked.includes(from));
  const delivered = others.filter((agent) => !blocked.includes(agent));
  const sent = { id, thread_id, delivered, blocked };
  const said = messageKindOf(message.body, message.subject);
  const negotiation = answeredBy(changes, from, delivered, thread_id);
  // An answer is owed once; repeating it counts like any other message.
  const isOwed =
    negotiation !== undefined &&
    (said === 'release-ack' || (said === 'release-defer' && !negotiation.deferred));
  if (!isOwed && !countSent(changes, from, delivered.length, facts))
    return { ...sent, delivered: [], error: 'RATE_LIMITED' };
  if (delivered.length === 0) return { ...sent, error: blocked.length > 0 ? 'BLOCKED' : 'NOBODY' };
  const { subject, body, importance, ack_required, topic } = message;
  // It counts as an answer only from the agent that was asked, to the requester, while the request is not settled.
  const kind = isAnswer(said) && negotiation === undefined ? 'message' : said;
  const whole: Message = {
    ...{ id, from, to: delivered, topic, thread_id, subject, body, kind, importance, ack_required },
    sent_wall_ms: facts.now.wall_ms,
  };
  changes.set(messageKey(id), whole);
  const thread = asThread(message.thread_id === null ? undefined : changes.get(threadKey(thread_id)));
  changes.set(threadKey(thread_id), {
    ids: [...thread.ids, id].slice(-THREAD_MAX),
    at_wall_ms: facts.now.wall_ms,
  });
  for (const agent of delivered) putIn(changes, agent, headOf(whole));
  if (ack_required) awaitAck(changes, from, whole);
  settle(changes, whole);
  record(tx, 'message', {
    message: id,
    to: delivered,
    thread: thread_id,
    kind,
    importance,
    ...(topic === null ? {} : { topic }),
  });
  return { ...sent, error: null };
}

const isAnswer = (kind: Message['kind']): boolean => kind === 'release-ack' || kind === 'release-defer';

/** The unsettled negotiation between the two, as either of them has it. */
export const negotiationOf = (changes: Changes, asked: NegotiationParties): Negotiation | undefined =>
  [asked.to, asked.from]
    .flatMap((agent) => inboxOf(changes, agent).talks)
    .find((negotiation) => isSameNegotiation(negotiation, asked));

/** The request that a message in this thread would answer. */
export function answeredBy(
  changes: Changes,
  from: AgentId,
  to: readonly AgentId[],
  thread_id: string,
): Negotiation | undefined {
  const known = to.map((asker) => negotiationOf(changes, { thread_id, from: asker, to: from }));
  return known.find((negotiation) => negotiation !== undefined);
}

const headOf = ({ id, from, thread_id, kind, importance, ack_required }: Message): InboxEntry => ({
  ...{ id, from, thread_id, kind, importance, ack_required },
  read: false,
  told: false,
  acked: false,
});

export function change(changes: Changes, agent: AgentId, by: Partial<Inbox>): void {
  changes.set(inboxKey(agent), storedInbox({ ...inboxOf(changes, agent), ...by }));
}

/** Many receivers count as several messages, because each of their inboxes is written. */
function countSent(changes: Changes, from: AgentId, receivers: number, { now, policy }: Facts): boolean {
  const minute = Math.floor(now.mono_ms / 60_000);
  const { sent } = inboxOf(changes, from);
  const count = sent.minute === minute ? sent.count : 0;
  if (count >= (policy.messages_per_minute ?? MESSAGES_PER_MINUTE)) return false;
  change(changes, from, {
    sent: { minute, count: count + Math.max(1, Math.ceil(receivers / RECEIVERS_AS_ONE)) },
  });
  return true;
}

/** What a hook shows at the next step and has not shown yet; a repeated request (expired.ts) was read before. */
export const isNews = (head: InboxEntry): boolean =>
  !head.told && (head.importance === 'urgent' || head.kind !== 'message');

/** A full inbox drops the oldest read message; otherwise the oldest that can wait, or simply the oldest. */
function putIn(changes: Changes, agent: AgentId, head: InboxEntry): void {
  const before = inboxOf(changes, agent).heads;
  const heads = [...before, head];
  if (heads.length > INBOX_MAX) {
    const ranks: number[] = before.map((one) => (one.read ? 2 : isNews(one) ? 0 : 1));
    heads.splice(ranks.indexOf(Math.max(...ranks)), 1);
  }
  change(changes, agent, { heads });
}

function awaitAck(changes: Changes, from: AgentId, { id, to, importance, sent_wall_ms }: Message): void {
  const { awaited } = inboxOf(changes, from);
  change(changes, from, { awaited: [...awaited, { id, to, importance, sent_wall_ms }].slice(-TALKS_MAX) });
}

/** Updates the negotiation after a request, an ack or a defer, including those that an old client sent as messages. */
function settle(changes: Changes, message: Message): void {
  const { kind, from, thread_id } = message;
  const fields = fieldsOf(message.body);
  for (const to of message.to) {
    if (kind === 'release-request') {
      const negotiation = negotiationIn(message, to, fields);
      for (const agent of new Set([from, to])) openNegotiation(changes, agent, negotiation);
    }
    const asked = { thread_id, from: to, to: from };
    for (const negotiation of isAnswer(kind) ? negotiationsAbout(changes, asked) : [])
      for (const agent of [from, to])
        if (kind === 'release-ack') closeNegotiation(changes, agent, negotiation);
        else deferNegotiation(changes, agent, negotiation, fields);
  }
}

/** The answered negotiation and others between the same two about the same pattern: one answer settles all. */
function negotiationsAbout(changes: Changes, asked: NegotiationParties): NegotiationParties[] {
  const over = negotiationOf(changes, asked)?.over;
  const same = ({ from, to, over: other }: Negotiation): boolean =>
    from === asked.from &&
    to === asked.to &&
    other?.scope === over?.scope &&
    other?.pattern === over?.pattern;
  return [asked, ...(over ? inboxOf(changes, asked.to).talks.filter(same) : [])];
}

type Fields = ReturnType<typeof fieldsOf>;

function negotiationIn(message: Message, to: AgentId, fields: Fields): Negotiation {
  const names = [fields['file'], fields['pattern']];
  const file = names.find((value): value is string => typeof value === 'string') ?? '';
  return {
    thread_id: message.thread_id,
    file: file.slice(0, 512),
    path: null,
    over: null,
    from: message.from,
    to,
    urgency: fields['urgency'] === 'urgent' || message.importance === 'urgent' ? 'urgent' : 'normal',
    since_wall_ms: message.sent_wall_ms,
    deferred: false,
    eta_minutes: null,
    escalated: false,
  };
}

function openNegotiation(changes: Changes, agent: AgentId, negotiation: Negotiation): void {
  const talks = inboxOf(changes, agent).talks.filter((one) => !isSameNegotiation(one, negotiation));
  change(changes, agent, { talks: [...talks, negotiation].slice(-TALKS_MAX) });
}

export function closeNegotiation(changes: Changes, agent: AgentId, asked: NegotiationParties): void {
  const { talks } = inboxOf(changes, agent);
  const left = talks.filter((negotiation) => !isSameNegotiation(negotiation, asked));
  if (left.length < talks.length) change(changes, agent, { talks: left });
}

/** Changes one agent's record of a request. */
export function changeNegotiation(
  changes: Changes,
  agent: AgentId,
  asked: NegotiationParties,
  by: Partial<Negotiation>,
): void {
  const { talks } = inboxOf(changes, agent);
  if (!talks.some((negotiation) => isSameNegotiation(negotiation, asked))) return;
  change(changes, agent, {
    talks: talks.map((one) => (isSameNegotiation(one, asked) ? { ...one, ...by } : one)),
  });
}

function deferNegotiation(changes: Changes, agent: AgentId, asked: NegotiationParties, fields: Fields): void {
  const eta = fields['eta_minutes'];
  changeNegotiation(changes, agent, asked, {
    deferred: true,
    eta_minutes: typeof eta === 'number' ? eta : null,
  });
}
