/** Asking another agent to release a file, and answering. No one is forced; what an answer calls released, was. */
import { parseGlob } from '../glob/parse.ts';
import type { View } from '../ledger.ts';
import { asMessage, asThread, messageKey, threadKey } from '../mailbox.ts';
import type { Negotiation, NegotiationParties } from '../mailbox.ts';
import { ETA_MAX_MINUTES } from '../limits.ts';
import type { AgentId, Facts } from '../types.ts';
import type { Who } from './who.ts';
import { changeNegotiation, negotiationOf, post, type Sent } from './mail.ts';
import { type Meant, meantIn } from './meant.ts';
import { meetIn } from './overlap.ts';
import { keepPromises } from './promised.ts';
import type { ScopedPattern } from './reserved.ts';
import { dropOver, heldOver, isStillHeld, type ReleasedOver } from './unreserve.ts';
import { transactionOf } from './opened.ts';
import { answer, type Step, type Transaction } from './transaction.ts';

export interface RequestEvent {
  readonly type: 'negotiate.request';
  readonly who: Who;
  readonly to: AgentId;
  readonly meant: Meant;
  readonly reason: string;
  readonly urgency: Negotiation['urgency'];
  readonly thread_id: string;
}

/** `NOTHING_HELD`: that agent holds nothing there, so there is nothing to ask for. */
export interface Requested {
  readonly sent: Sent | null;
  readonly error: 'NOTHING_HELD' | Sent['error'];
}

export function requestRelease(view: View, event: RequestEvent, facts: Facts): Step<Requested> {
  const { who, to, meant, reason, urgency, thread_id } = event;
  const tx = transactionOf(view, who, facts);
  if (!isStillHeld(tx, { to, over: meant }))
    return { records: [], result: { sent: null, error: 'NOTHING_HELD' } };
  const type = 'release-request';
  const sent = post(tx, {
    to: [to],
    topic: null,
    thread_id,
    subject: type,
    body: JSON.stringify({ type, file: meant.file, reason, requester: who.id, urgency, thread_id }),
    importance: urgency,
    ack_required: urgency === 'urgent',
  });
  const { path, scope, pattern } = meantIn(tx, meant);
  const asked = { thread_id, from: who.id, to };
  const over = { scope, pattern };
  for (const one of [who.id, to]) changeNegotiation(tx.changes, one, asked, { path, over });
  return answer(tx, { sent, error: sent.error });
}

export interface RespondEvent {
  readonly type: 'negotiate.respond';
  readonly who: Who;
  readonly requester: AgentId;
  readonly thread_id: string;
  readonly action: 'release' | 'defer';
  readonly meant: Meant;
  readonly eta_minutes: number;
  readonly reason: string;
}

export interface Responded {
  readonly released: ReleasedOver;
  readonly eta_minutes: number;
  /** It was already answered, or is free by now: a repeated answer changes nothing and sends no message. */
  readonly settled?: true;
  /**
   * `NOT_ASKED`: not asked of this agent, or not by that one; `SETTLED`: nothing is left to defer; `OTHER_FILE`: it is
   * not what was requested, or that would still be held.
   */
  readonly error: 'NO_THREAD' | 'NOT_ASKED' | 'SETTLED' | 'OTHER_FILE' | Sent['error'];
}

export function respond(view: View, event: RespondEvent, facts: Facts): Step<Responded> {
  const { who, requester, thread_id, action } = event;
  const eta_minutes = Math.min(ETA_MAX_MINUTES, Math.max(0, Math.round(event.eta_minutes) || 0));
  const nothing: Responded = { released: { reservations: [], paths: [] }, eta_minutes, error: null };
  const refused = (error: Responded['error']): Step<Responded> => ({
    records: [],
    result: { ...nothing, error },
  });
  if (asThread(view.get(threadKey(thread_id))).ids.length === 0) return refused('NO_THREAD');
  const asked = { thread_id, from: requester, to: who.id };
  const tx = transactionOf(view, who, facts);
  const meant = meantIn(tx, event.meant);
  const negotiation = negotiationOf(tx.changes, asked);
  if (negotiation === undefined) {
    if (!wasAsked(view, asked)) return refused('NOT_ASKED');
    return action === 'defer' ? refused('SETTLED') : { records: [], result: { ...nothing, settled: true } };
  }
  if (negotiation.over && !isAbout(meant, negotiation.over)) return refused('OTHER_FILE');
  const released = action === 'release' ? letGo(tx, meant, negotiation) : nothing.released;
  if (released === null) return refused('OTHER_FILE');
  const body = bodyOf(event, released, eta_minutes);
  const sent = post(tx, {
    to: [requester],
    topic: null,
    thread_id,
    subject: body.type,
    body: JSON.stringify(body),
    importance: 'normal',
    ack_required: false,
  });
  return answer(tx, { released, eta_minutes, error: sent.error });
}

/** `null` if what was requested would still be held. */
function letGo(tx: Transaction, meant: Meant, negotiation: Negotiation): ReleasedOver | null {
  const held = heldOver(tx, tx.agent.id, meant);
  const released = dropOver(tx, held);
  if (isStillHeld(tx, negotiation)) return null;
  keepPromises(tx, held, negotiation);
  return released;
}

function bodyOf(
  { who, meant: { file }, action, reason }: RespondEvent,
  released: ReleasedOver,
  eta_minutes: number,
) {
  if (action === 'defer') return { type: 'release-defer', file, eta_minutes, reason, released: false };
  const released_cnt = released.paths.length + released.reservations.length;
  const said = reason === '' ? {} : { reason };
  return { type: 'release-ack', file, released: true, released_by: who.id, released_cnt, ...said };
}

/** Whether the two have a path in common. */
const isAbout = ({ scope, pattern }: Meant, over: ScopedPattern): boolean =>
  meetIn(over, scope, parseGlob(pattern));

/** A settled request is no longer a negotiation, but its thread still shows it. */
function wasAsked(view: View, { thread_id, from, to }: NegotiationParties): boolean {
  const keys = asThread(view.get(threadKey(thread_id))).ids.map(messageKey);
  const messages = keys.flatMap((key) => asMessage(view.get(key)) ?? []);
  return messages.some((one) => one.kind === 'release-request' && one.from === from && one.to.includes(to));
}
