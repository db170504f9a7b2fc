/**
 * What a hook tells an agent of its inbox, once: requests to release, answers to its own, urgent messages; at a prompt the
 * others too; and that what it asked for is free. What was shown whole is read, the rest waits until the agent looks.
 */
import type { Json, View } from '../ledger.ts';
import { asInbox, asMessage, inboxKey, messageKey } from '../mailbox.ts';
import type { Inbox, InboxEntry, Message, Negotiation } from '../mailbox.ts';
import { isShownWhole, partsOf } from '../mail-words.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import type { Who } from './who.ts';
import { expiredOf } from './expired.ts';
import { isFree, requestsOf } from './freed.ts';
import { change, closeNegotiation, inboxOf, isNews } from './mail.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

/** At one hook: of what cannot wait, and of everything. */
const NEWS_SHOWN = 3;
const SHOWN = 5;

export interface DeliverEvent {
  readonly type: 'message.deliver';
  readonly who: Who;
  /** Ordinary messages too. */
  readonly all?: boolean;
}

export interface Delivered {
  readonly messages: readonly Message[];
  /** That cannot wait and did not fit, shown at the next hook. */
  readonly more: number;
  /** Requests whose holders no longer hold anything of what was asked for, each once. */
  readonly freed: readonly Negotiation[];
  /** Messages that are not read, after this. */
  readonly unread: number;
}

/** Whether there is anything that a hook would tell, by the inbox's state alone. */
export function hasNews(state: Json | undefined, agent: AgentId, all = false): boolean {
  const inbox = asInbox(state);
  return inbox.heads.some(all ? isUntold : isNews) || requestsOf(inbox, agent).length > 0;
}

export const unreadIn = (heads: readonly InboxEntry[]): number => heads.filter(({ read }) => !read).length;
const isUntold = ({ told }: InboxEntry): boolean => !told;

export function deliver(view: View, { who, all = false }: DeliverEvent, facts: Facts): Step<Delivered> {
  const inbox = asInbox(view.get(inboxKey(who.id)));
  const news = inbox.heads.filter(isNews);
  const others = all ? inbox.heads.filter((head) => isUntold(head) && !isNews(head)) : [];
  const now = [...news.slice(0, NEWS_SHOWN), ...others].slice(0, SHOWN);
  const escalates = (facts.policy.escalate ?? 'off') !== 'off';
  const asked = requestsOf(inbox, who.id);
  const before = toldBefore(inbox, now);
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  // Whoever asked goes on working, and need not look into its inbox for it.
  if (escalates) expiredOf(changes, who.id, facts);
  const freed = tellFreed(tx, asked);
  const ids = now.map(({ id }) => id);
  const messagesOf = (heads: readonly InboxEntry[]): Message[] =>
    heads.flatMap(({ id }) => asMessage(view.get(messageKey(id))) ?? []);
  const messages = messagesOf(now);
  const unread = tell(changes, who.id, ids, messages);
  if (ids.length + freed.length > 0)
    record(tx, 'told', { messages: ids, freed: freed.map(({ file }) => file) });
  const more = news.length - news.filter((head) => now.includes(head)).length;
  return answer(tx, { messages: saidOnce(messages, messagesOf(before)), more, freed, unread });
}

/** Marks what is shown, and answers how much is not read then. */
function tell(changes: Changes, me: AgentId, shown: readonly string[], messages: readonly Message[]): number {
  const whole = new Set(messages.filter(isShownWhole).map(({ id }) => id));
  const heads = inboxOf(changes, me).heads.map((head) =>
    shown.includes(head.id) ? { ...head, told: true, read: head.read || whole.has(head.id) } : head,
  );
  if (shown.length > 0) change(changes, me, { heads });
  return unreadIn(heads);
}

/** Requests that were told, of those who ask again, and that nobody has answered. */
function toldBefore({ heads, talks }: Inbox, now: readonly InboxEntry[]): InboxEntry[] {
  const askers = now.filter(({ kind }) => kind === 'release-request').map(({ from }) => from);
  const isOpen = (thread: string): boolean =>
    talks.some(({ thread_id, deferred }) => thread_id === thread && !deferred);
  return heads.filter(
    ({ kind, told, from, thread_id }) =>
      kind === 'release-request' && told && askers.includes(from) && isOpen(thread_id),
  );
}

/** The same request, from those who ask again and again, is told once; an answer to one is one to all of them. */
function saidOnce(messages: readonly Message[], before: readonly Message[]): Message[] {
  const sameAs = ({ id, kind, from, importance, subject, body }: Message): string => {
    const { file, reason } = partsOf({ kind, subject, body });
    return kind === 'release-request' ? JSON.stringify([from, file, reason, importance]) : id;
  };
  const said = new Set(before.map(sameAs));
  return messages.filter((message) => {
    const isNew = !said.has(sameAs(message));
    said.add(sameAs(message));
    return isNew;
  });
}

const FREED_SHOWN = 5;

/** Each file once, however often it was asked for. */
function tellFreed(tx: Transaction, asked: readonly Negotiation[]): Negotiation[] {
  const { changes } = tx;
  const free = asked.filter((negotiation) => isFree(tx, negotiation));
  const sameAs = ({ to, path, over }: Negotiation): string => JSON.stringify([to, path ?? over]);
  const first = new Map([...free].reverse().map((negotiation) => [sameAs(negotiation), negotiation]));
  const freed = free
    .filter((negotiation) => first.get(sameAs(negotiation)) === negotiation)
    .slice(0, FREED_SHOWN);
  const names = new Set(freed.map(sameAs));
  for (const negotiation of free)
    if (names.has(sameAs(negotiation)))
      for (const one of [negotiation.from, negotiation.to]) closeNegotiation(changes, one, negotiation);
  return freed;
}
