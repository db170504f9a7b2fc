import type { View } from '../ledger.ts';
import { asNoticed, isSameNotice, type Notice, NOTICED, type NoticedState, withNotice } from '../noticed.ts';
import type { Facts } from '../types.ts';
import type { Who } from './who.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';

export interface NoticedEvent {
  readonly type: 'noticed';
  readonly who: Who;
  readonly tool: string;
  readonly op: string;
  readonly notices: readonly Notice[];
}

/** Each notice gets its own record, once; one that was seen before and occurs again is new again. */
export function note(view: View, event: NoticedEvent, facts: Facts): Step<null> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  for (const notice of event.notices) {
    const item = { ...notice, agent: agent.id, at_wall_ms: facts.now.wall_ms, told: false };
    changes.set(NOTICED, withNotice(changes.get(NOTICED), item));
    const { tool, op } = event;
    const { what, file, detail, event: hook_event } = notice;
    const base = { file, tool, op };
    if (what === 'hook') record(tx, 'hook.added', { ...base, event: hook_event, command: detail });
    else record(tx, 'bypass', { ...base, what, reason: detail });
  }
  return answer(tx, null);
}

export interface NoticesToldEvent {
  readonly type: 'noticed.told';
  readonly who: Who;
  /** Hooks that still exist stay on the list; all other notices that were shown are removed. */
  readonly keep: readonly Notice[];
  /** What the person is shown, and the result. */
  readonly shown: readonly NoticedState[];
}

export function noticesTold(
  view: View,
  event: NoticesToldEvent,
  facts: Facts,
): Step<readonly NoticedState[]> {
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const items = asNoticed(changes.get(NOTICED))
    .filter((one) => event.keep.some((kept) => isSameNotice(one, kept)))
    .map((one) => ({ ...one, told: true }));
  changes.set(NOTICED, items.length === 0 ? null : { items });
  record(tx, 'told', { messages: [], freed: [] });
  return answer(tx, event.shown);
}
