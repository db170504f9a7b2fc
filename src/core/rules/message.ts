/** Sending and acknowledging messages, and blocking senders. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentOfKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asMessage, asThread, asTopic, messageKey, messageKindOf, threadKey, topicKey } from '../mailbox.ts';
import type { AwaitedAck, Message } from '../mailbox.ts';
import { RECIPIENTS_MAX, TIMEOUT_MINUTES } from '../limits.ts';
import { overlay } from '../overlay.ts';
import { leftOf } from '../profiles.ts';
import { isShadow } from '../shadow.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import type { Who } from './who.ts';
import { answeredBy, change, inboxOf, type Outgoing, post, type Sent } from './mail.ts';
import { isStillHeld } from './unreserve.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

export interface SendEvent {
  readonly type: 'message.send';
  readonly who: Who;
  /** `everybody`: all live agents. A topic's followers receive the message in addition to `to`. */
  readonly to: readonly AgentId[] | 'everybody';
  readonly message: Omit<Outgoing, 'to'>;
}

export function sendMessage(view: View, event: SendEvent, facts: Facts): Step<Sent> {
  const to = receivers(view, event, facts);
  const tx = transactionOf(view, event.who, facts);
  if (isUntrue(tx, to, event.message)) return { records: [], result: NOTHING_SENT };
  return answer(tx, post(tx, { ...event.message, to }));
}

const NOTHING_SENT: Sent = { id: '', thread_id: '', delivered: [], blocked: [], error: 'STILL_HELD' };

/** The message claims "released" for something its sender still holds; only respond_to_release actually releases. */
function isUntrue(tx: Transaction, to: readonly AgentId[], message: SendEvent['message']): boolean {
  const { body, subject, thread_id } = message;
  if (thread_id === null || messageKindOf(body, subject) !== 'release-ack') return false;
  const negotiation = answeredBy(tx.changes, tx.agent.id, to, thread_id);
  return negotiation !== undefined && isStillHeld(tx, negotiation);
}

function receivers(view: View, { who, to, message: { topic } }: SendEvent, facts: Facts): AgentId[] {
  const { followers } = topic === null ? { followers: [] } : asTopic(view.get(topicKey(topic)));
  if (to !== 'everybody')
    return [...to, ...followers.filter((agent) => agent !== who.id)].slice(0, RECIPIENTS_MAX);
  const agents = view.range(AGENTS);
  const changes = changesOver(overlay(view, agents, [AGENTS]));
  const gone = leftOf(view, changes);
  return agents
    .map(([key]) => agentOfKey(key))
    .filter((id) => id !== who.id && !isShadow(id) && isAlive(changes, id, facts) && !gone.includes(id))
    .slice(-RECIPIENTS_MAX);
}

export interface AckEvent {
  readonly type: 'message.ack';
  readonly who: Who;
  readonly id: string;
}

/** False if there is no such message in this inbox. */
export function acknowledge(view: View, { who, id }: AckEvent, facts: Facts): Step<boolean> {
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  const { heads } = inboxOf(changes, who.id);
  const head = heads.find((one) => one.id === id);
  if (head === undefined) return { records: [], result: false };
  if (!head.acked) {
    const done = { read: true, told: true, acked: true };
    change(changes, who.id, { heads: heads.map((one) => (one.id === id ? { ...one, ...done } : one)) });
    const awaited = inboxOf(changes, head.from).awaited.flatMap((one) => without(one, id, who.id));
    change(changes, head.from, { awaited });
    record(tx, 'ack', { message: id, from: head.from });
  }
  return answer(tx, true);
}

function without(one: AwaitedAck, id: string, agent: AgentId): AwaitedAck[] {
  if (one.id !== id) return [one];
  const to = one.to.filter((other) => other !== agent);
  return to.length === 0 ? [] : [{ ...one, to }];
}

export interface PreferEvent {
  readonly type: 'message.prefer';
  readonly who: Who;
  readonly block: readonly AgentId[];
  readonly unblock: readonly AgentId[];
  readonly follow: readonly string[];
  readonly unfollow: readonly string[];
}

/** Sets which senders are blocked and which topics are followed. Returns the block list. */
export function prefer(view: View, event: PreferEvent, facts: Facts): Step<readonly AgentId[]> {
  const { who, block, unblock, follow, unfollow } = event;
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  const kept = inboxOf(changes, who.id).blocked.filter((one) => !unblock.includes(one));
  const blocked = [...new Set([...kept, ...block.filter((one) => one !== who.id)])].slice(-RECIPIENTS_MAX);
  if (block.length + unblock.length > 0) change(changes, who.id, { blocked });
  for (const name of follow) setFollower(changes, name, who.id, true);
  for (const name of unfollow) setFollower(changes, name, who.id, false);
  record(tx, 'prefer', { block, unblock, follow, unfollow });
  return answer(tx, blocked);
}

function setFollower(changes: Changes, name: string, agent: AgentId, isIn: boolean): void {
  const others = asTopic(changes.get(topicKey(name))).followers.filter((one) => one !== agent);
  const followers = isIn ? [...others, agent].slice(-RECIPIENTS_MAX) : others;
  changes.set(topicKey(name), followers.length === 0 ? null : { followers });
}

/** Messages of a thread, oldest first. */
export function threadMessages(view: View, id: string): Step<readonly Message[]> {
  const keys = asThread(view.get(threadKey(id))).ids.map(messageKey);
  return { records: [], result: keys.flatMap((key) => asMessage(view.get(key)) ?? []) };
}

/** The agent's own messages that have waited for an ack longer than a request may. */
export const staleAcks = (changes: Changes, agent: AgentId, { now }: Facts): AwaitedAck[] =>
  inboxOf(changes, agent).awaited.filter(
    ({ importance, sent_wall_ms }) =>
      now.wall_ms - sent_wall_ms > TIMEOUT_MINUTES[importance === 'urgent' ? 'urgent' : 'normal'] * 60_000,
  );
