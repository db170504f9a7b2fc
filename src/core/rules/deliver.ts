/**
 * What a hook tells an agent about its inbox, each thing once: release requests, answers to its own, urgent messages;
 * at a prompt, the other messages too; and that a file it asked for is free. A message shown whole is read; others stay
 * unread until the agent looks.
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

/** Per hook: the limit for urgent messages, and for all messages. */
const NEWS_SHOWN = 3;
const SHOWN = 5;

export interface DeliverEvent {
  readonly type: 'message.deliver';
  readonly who: Who;
  /** Includes ordinary messages. */
  readonly all?: boolean;
}

export interface Delivered {
  readonly messages: readonly Message[];
  /** The number of urgent messages that did not fit and are shown at the next hook. */
  readonly more: number;
  /** Requests whose holders no longer hold any of the requested files, each once. */
  readonly freed: readonly Negotiation[];
  /** The number of messages that are still unread afterwards. */
  readonly unread: number;
}

/** Whether there is anything for a hook to report, decided by the inbox's state alone. */
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
  // The requester keeps working and need not look into its inbox for it.
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

/** Marks the shown messages, and returns how many are unread afterwards. */
function tell(changes: Changes, me: AgentId, shown: readonly string[], messages: readonly Message[]): number {
  const whole = new Set(messages.filter(isShownWhole).map(({ id }) => id));
  const heads = inboxOf(changes, me).heads.map((head) =>
    shown.includes(head.id) ? { ...head, told: true, read: head.read || whole.has(head.id) } : head,
  );
  if (shown.length > 0) change(changes, me, { heads });
  return unreadIn(heads);
}

/** Earlier requests, already shown and unanswered, of agents that ask again. */
function toldBefore({ heads, talks }: Inbox, now: readonly InboxEntry[]): InboxEntry[] {
  const askers = now.filter(({ kind }) => kind === 'release-request').map(({ from }) => from);
  const isOpen = (thread: string): boolean =>
    talks.some(({ thread_id, deferred }) => thread_id === thread && !deferred);
  return heads.filter(
    ({ kind, told, from, thread_id }) =>
      kind === 'release-request' && told && askers.includes(from) && isOpen(thread_id),
  );
}

/** A request that its sender repeats is shown once; an answer to one answers all of them. */
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

/** Each file once, however often it was requested. */
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
