/** Putting a message into inboxes, within their limits. Whoever sends has the keys of `mailKeys` in view. */
import { agentKey, waitKey } from '../keys.ts';
import type { Key, Lsn } from '../ledger.ts';
import {
  asInbox,
  asThread,
  fieldsOf,
  inboxKey,
  isSameNegotiation,
  messageKindOf,
  messageKey,
  storedInbox,
  threadKey,
} from '../mailbox.ts';
import type { NegotiationParties, InboxEntry, Inbox, Message, Negotiation } from '../mailbox.ts';
import { INBOX_MAX, MESSAGES_PER_MINUTE, RECEIVERS_AS_ONE, TALKS_MAX, THREAD_MAX } from '../limits.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';

export type Outgoing = Pick<Message, 'to' | 'topic' | 'subject' | 'body' | 'importance' | 'ack_required'> & {
  /** Null: a thread of its own. */
  readonly thread_id: string | null;
};

export interface Sent {
  readonly id: string;
  readonly thread_id: string;
  readonly delivered: readonly AgentId[];
  /** Those who take nothing from this sender. */
  readonly blocked: readonly AgentId[];
  /** `STILL_HELD`: it says that something is released, and that is not so. */
  readonly error: 'RATE_LIMITED' | 'BLOCKED' | 'NOBODY' | 'STILL_HELD' | null;
}

export const mailKeys = (from: AgentId, to: readonly AgentId[], thread_id: string | null): Key[] => [
  agentKey(from),
  waitKey(from),
  ...[from, ...to].map(inboxKey),
  ...(thread_id === null ? [] : [threadKey(thread_id)]),
];

export const inboxOf = (draft: Draft, agent: AgentId): Inbox => asInbox(draft.get(inboxKey(agent)));

/** Delivers, and puts it on record; refused is returned, nothing is then changed. */
export function post(draft: Draft, from: AgentId, letter: Outgoing, facts: Facts, next: Lsn): Sent {
  const id = `m-${next}`;
  const thread_id = letter.thread_id ?? id;
  const others = [...new Set(letter.to)].filter((agent) => agent !== from || letter.to.length === 1);
  const blocked = others.filter((agent) => inboxOf(draft, agent).blocked.includes(from));
  const delivered = others.filter((agent) => !blocked.includes(agent));
  const sent = { id, thread_id, delivered, blocked };
  const said = messageKindOf(letter.body, letter.subject);
  const talk = answeredBy(draft, from, delivered, thread_id);
  // An answer is owed, once; saying it again and again is as much noise as anything else.
  const isOwed =
    talk !== undefined && (said === 'release-ack' || (said === 'release-defer' && !talk.deferred));
  if (!isOwed && !countSent(draft, from, delivered.length, facts))
    return { ...sent, delivered: [], error: 'RATE_LIMITED' };
  if (delivered.length === 0) return { ...sent, error: blocked.length > 0 ? 'BLOCKED' : 'NOBODY' };
  const { subject, body, importance, ack_required, topic } = letter;
  // Only from whoever was asked, to whoever asked, and while it is not settled.
  const kind = isAnswer(said) && talk === undefined ? 'message' : said;
  const whole: Message = {
    ...{ id, from, to: delivered, topic, thread_id, subject, body, kind, importance, ack_required },
    sent_wall_ms: facts.now.wall_ms,
  };
  draft.set(messageKey(id), whole);
  const thread = asThread(letter.thread_id === null ? undefined : draft.get(threadKey(thread_id)));
  draft.set(threadKey(thread_id), {
    ids: [...thread.ids, id].slice(-THREAD_MAX),
    at_wall_ms: facts.now.wall_ms,
  });
  for (const agent of delivered) putIn(draft, agent, headOf(whole));
  if (ack_required) awaitAck(draft, from, whole);
  settle(draft, whole);
  draft.record({
    type: 'message',
    agent: from,
    ts_ms: facts.now.wall_ms,
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

/** What is not settled between the two, as either knows it. */
export const negotiationOf = (draft: Draft, asked: NegotiationParties): Negotiation | undefined =>
  [asked.to, asked.from]
    .flatMap((agent) => inboxOf(draft, agent).talks)
    .find((talk) => isSameNegotiation(talk, asked));

/** The request that a message in this thread would answer. */
export function answeredBy(
  draft: Draft,
  from: AgentId,
  to: readonly AgentId[],
  thread_id: string,
): Negotiation | undefined {
  const talks = to.map((asker) => negotiationOf(draft, { thread_id, from: asker, to: from }));
  return talks.find((talk) => talk !== undefined);
}

const headOf = ({ id, from, thread_id, kind, importance, ack_required }: Message): InboxEntry => ({
  ...{ id, from, thread_id, kind, importance, ack_required },
  read: false,
  told: false,
  acked: false,
});

export function change(draft: Draft, agent: AgentId, by: Partial<Inbox>): void {
  draft.set(inboxKey(agent), storedInbox({ ...inboxOf(draft, agent), ...by }));
}

/** Many receivers count as several messages: each of their inboxes is written. */
function countSent(draft: Draft, from: AgentId, receivers: number, { now, policy }: Facts): boolean {
  const minute = Math.floor(now.mono_ms / 60_000);
  const { sent } = inboxOf(draft, from);
  const count = sent.minute === minute ? sent.count : 0;
  if (count >= (policy.messages_per_minute ?? MESSAGES_PER_MINUTE)) return false;
  change(draft, from, {
    sent: { minute, count: count + Math.max(1, Math.ceil(receivers / RECEIVERS_AS_ONE)) },
  });
  return true;
}

/** What a hook tells of at the next step, and has not yet; what is said again (expired.ts) was read before. */
export const isNews = (head: InboxEntry): boolean =>
  !head.told && (head.importance === 'urgent' || head.kind !== 'message');

/** The oldest read one makes room; else the oldest that can wait; else the oldest. */
function putIn(draft: Draft, agent: AgentId, head: InboxEntry): void {
  const before = inboxOf(draft, agent).heads;
  const heads = [...before, head];
  if (heads.length > INBOX_MAX) {
    const ranks: number[] = before.map((one) => (one.read ? 2 : isNews(one) ? 0 : 1));
    heads.splice(ranks.indexOf(Math.max(...ranks)), 1);
  }
  change(draft, agent, { heads });
}

function awaitAck(draft: Draft, from: AgentId, { id, to, importance, sent_wall_ms }: Message): void {
  const { awaited } = inboxOf(draft, from);
  change(draft, from, { awaited: [...awaited, { id, to, importance, sent_wall_ms }].slice(-TALKS_MAX) });
}

/** What a request, an ack or a defer does to what is not settled between the two; also where an old client sent it. */
function settle(draft: Draft, letter: Message): void {
  const { kind, from, thread_id } = letter;
  const fields = fieldsOf(letter.body);
  for (const to of letter.to) {
    if (kind === 'release-request') {
      const talk = talkIn(letter, to, fields);
      for (const agent of new Set([from, to])) openTalk(draft, agent, talk);
    }
    const asked = { thread_id, from: to, to: from };
    for (const talk of isAnswer(kind) ? talksAbout(draft, asked) : [])
      for (const agent of [from, to])
        if (kind === 'release-ack') closeTalk(draft, agent, talk);
        else deferTalk(draft, agent, talk, fields);
  }
}

/** The one that was asked, and whatever else the same two have open about the same: one answer is one to all of them. */
function talksAbout(draft: Draft, asked: NegotiationParties): NegotiationParties[] {
  const over = negotiationOf(draft, asked)?.over;
  const same = ({ from, to, over: other }: Negotiation): boolean =>
    from === asked.from &&
    to === asked.to &&
    other?.scope === over?.scope &&
    other?.pattern === over?.pattern;
  return [asked, ...(over ? inboxOf(draft, asked.to).talks.filter(same) : [])];
}

function talkIn(letter: Message, to: AgentId, fields: Readonly<Record<string, unknown>>): Negotiation {
  const names = [fields['file'], fields['pattern']];
  const file = names.find((value): value is string => typeof value === 'string') ?? '';
  return {
    thread_id: letter.thread_id,
    file: file.slice(0, 512),
    path: null,
    over: null,
    from: letter.from,
    to,
    urgency: fields['urgency'] === 'urgent' || letter.importance === 'urgent' ? 'urgent' : 'normal',
    since_wall_ms: letter.sent_wall_ms,
    deferred: false,
    eta_minutes: null,
    escalated: false,
  };
}

function openTalk(draft: Draft, agent: AgentId, talk: Negotiation): void {
  const talks = inboxOf(draft, agent).talks.filter((one) => !isSameNegotiation(one, talk));
  change(draft, agent, { talks: [...talks, talk].slice(-TALKS_MAX) });
}

export function closeTalk(draft: Draft, agent: AgentId, asked: NegotiationParties): void {
  const { talks } = inboxOf(draft, agent);
  const left = talks.filter((talk) => !isSameNegotiation(talk, asked));
  if (left.length < talks.length) change(draft, agent, { talks: left });
}

/** Changes what both know of a request. */
export function changeTalk(
  draft: Draft,
  agent: AgentId,
  asked: NegotiationParties,
  by: Partial<Negotiation>,
): void {
  const { talks } = inboxOf(draft, agent);
  if (!talks.some((talk) => isSameNegotiation(talk, asked))) return;
  change(draft, agent, {
    talks: talks.map((talk) => (isSameNegotiation(talk, asked) ? { ...talk, ...by } : talk)),
  });
}

function deferTalk(
  draft: Draft,
  agent: AgentId,
  asked: NegotiationParties,
  fields: Readonly<Record<string, unknown>>,
): void {
  const eta = fields['eta_minutes'];
  changeTalk(draft, agent, asked, { deferred: true, eta_minutes: typeof eta === 'number' ? eta : null });
}
