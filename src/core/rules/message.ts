/** Sending, acknowledging, and not wanting to hear from somebody. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentOfKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asMessage, asThread, asTopic, messageKindOf, messageKey, threadKey, topicKey } from '../mailbox.ts';
import type { AwaitedAck, Message } from '../mailbox.ts';
import { RECIPIENTS_MAX, TIMEOUT_MINUTES } from '../limits.ts';
import { overlay } from '../overlay.ts';
import { leftOf } from '../profiles.ts';
import { isShadow } from '../shadow.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { answeredBy, change, inboxOf, post } from './mail.ts';
import type { Outgoing, Sent } from './mail.ts';
import { isStillHeld } from './negotiate.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface SendEvent {
  readonly type: 'message.send';
  readonly who: Who;
  /** `everybody`: all that are alive; a topic goes to those who follow it, beside `to`. */
  readonly to: readonly AgentId[] | 'everybody';
  readonly letter: Omit<Outgoing, 'to'>;
}

export function sendMessage(view: View, event: SendEvent, facts: Facts): Step<Sent> {
  const { who, letter } = event;
  const to = receivers(view, event, facts);
  const draft = draftOver(view);
  if (isUntrue(view, draft, who.id, to, letter, facts)) return { records: [], result: NOTHING_SENT };
  const agent = present(draft, who, facts, view.next);
  const sent = post(draft, agent.id, { ...letter, to }, facts, view.next);
  return answer(draft, agent, facts, sent);
}

const NOTHING_SENT: Sent = { id: '', thread_id: '', delivered: [], blocked: [], error: 'STILL_HELD' };

/** An answer that says "released" of what its sender still holds; respond_to_release is the one that releases. */
function isUntrue(
  view: View,
  draft: Draft,
  from: AgentId,
  to: readonly AgentId[],
  { body, subject, thread_id }: SendEvent['letter'],
  facts: Facts,
): boolean {
  if (thread_id === null || messageKindOf(body, subject) !== 'release-ack') return false;
  const talk = answeredBy(draft, from, to, thread_id);
  return talk !== undefined && isStillHeld(view, talk, facts);
}

function receivers(view: View, { who, to, letter }: SendEvent, facts: Facts): AgentId[] {
  const { followers } = letter.topic === null ? { followers: [] } : asTopic(view.get(topicKey(letter.topic)));
  if (to !== 'everybody')
    return [...to, ...followers.filter((agent) => agent !== who.id)].slice(0, RECIPIENTS_MAX);
  const agents = view.range(AGENTS);
  const draft = draftOver(overlay(view, agents, [AGENTS]));
  const gone = leftOf(view, draft);
  return agents
    .map(([key]) => agentOfKey(key))
    .filter((id) => id !== who.id && !isShadow(id) && isAlive(draft, id, facts) && !gone.includes(id))
    .slice(-RECIPIENTS_MAX);
}

export interface AckEvent {
  readonly type: 'message.ack';
  readonly who: Who;
  readonly id: string;
}

/** False: there is no such message in this inbox. */
export function acknowledge(view: View, { who, id }: AckEvent, facts: Facts): Step<boolean> {
  const draft = draftOver(view);
  const head = inboxOf(draft, who.id).heads.find((one) => one.id === id);
  if (head === undefined) return { records: [], result: false };
  const agent = present(draft, who, facts, view.next);
  if (!head.acked) {
    const { heads } = inboxOf(draft, who.id);
    const done = { read: true, told: true, acked: true };
    change(draft, who.id, { heads: heads.map((one) => (one.id === id ? { ...one, ...done } : one)) });
    const awaited = inboxOf(draft, head.from).awaited.flatMap((one) => without(one, id, who.id));
    change(draft, head.from, { awaited });
    draft.record({ type: 'ack', agent: who.id, ts_ms: facts.now.wall_ms, message: id, from: head.from });
  }
  return answer(draft, agent, facts, true);
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

/** From whom nothing is taken, and which topics are followed. Answers the block list. */
export function prefer(view: View, event: PreferEvent, facts: Facts): Step<readonly AgentId[]> {
  const { who, block, unblock, follow, unfollow } = event;
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  const kept = inboxOf(draft, who.id).blocked.filter((one) => !unblock.includes(one));
  const blocked = [...new Set([...kept, ...block.filter((one) => one !== who.id)])].slice(-RECIPIENTS_MAX);
  if (block.length + unblock.length > 0) change(draft, who.id, { blocked });
  for (const name of follow) setFollower(draft, name, who.id, true);
  for (const name of unfollow) setFollower(draft, name, who.id, false);
  draft.record({ type: 'prefer', agent: who.id, ts_ms: facts.now.wall_ms, block, unblock, follow, unfollow });
  return answer(draft, agent, facts, blocked);
}

function setFollower(draft: Draft, name: string, agent: AgentId, isIn: boolean): void {
  const others = asTopic(draft.get(topicKey(name))).followers.filter((one) => one !== agent);
  const followers = isIn ? [...others, agent].slice(-RECIPIENTS_MAX) : others;
  draft.set(topicKey(name), followers.length === 0 ? null : { followers });
}

/** Messages of a thread, oldest first. */
export function threadLetters(view: View, id: string): Step<readonly Message[]> {
  const keys = asThread(view.get(threadKey(id))).ids.map(messageKey);
  return { records: [], result: keys.flatMap((key) => asMessage(view.get(key)) ?? []) };
}

/** Own messages that wait for an ack longer than a request may. */
export const staleAcks = (draft: Draft, agent: AgentId, { now }: Facts): AwaitedAck[] =>
  inboxOf(draft, agent).awaited.filter(
    ({ importance, sent_wall_ms }) =>
      now.wall_ms - sent_wall_ms > TIMEOUT_MINUTES[importance === 'urgent' ? 'urgent' : 'normal'] * 60_000,
  );
