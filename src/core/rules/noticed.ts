import type { View } from '../ledger.ts';
import { asNoticed, isSameNotice, NOTICED, NOTICED_MAX } from '../noticed.ts';
import type { Notice } from '../noticed.ts';
import { draftOver } from '../states.ts';
import type { Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface NoticedEvent {
  readonly type: 'noticed';
  readonly who: Who;
  readonly tool: string;
  readonly op: string;
  readonly notices: readonly Notice[];
}

/** Each notice is a record of its own, once; what somebody has seen before and is there again is news again. */
export function note(view: View, event: NoticedEvent, facts: Facts): Step<null> {
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  for (const notice of event.notices) {
    const { wall_ms } = facts.now;
    const others = asNoticed(draft.get(NOTICED)).filter((one) => !isSameNotice(one, notice));
    const item = { ...notice, agent: agent.id, at_wall_ms: wall_ms, told: false };
    draft.set(NOTICED, { items: [...others, item].slice(-NOTICED_MAX) });
    const { tool, op } = event;
    const { what, file, detail, event: hook_event } = notice;
    const base = { agent: agent.id, ts_ms: wall_ms, file, tool, op };
    draft.record(
      what === 'hook'
        ? { type: 'hook.added', ...base, event: hook_event, command: detail }
        : { type: 'bypass', ...base, what, reason: detail },
    );
  }
  return answer(draft, agent, facts, null);
}

export interface NoticesToldEvent {
  readonly type: 'noticed.told';
  readonly who: Who;
  /** Hooks that are still there stay on the list; whatever else was told goes. */
  readonly keep: readonly Notice[];
}

export function noticesTold(view: View, event: NoticesToldEvent, facts: Facts): Step<null> {
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const items = asNoticed(draft.get(NOTICED))
    .filter((one) => event.keep.some((kept) => isSameNotice(one, kept)))
    .map((one) => ({ ...one, told: true }));
  draft.set(NOTICED, items.length === 0 ? null : { items });
  draft.record({ type: 'told', agent: agent.id, ts_ms: facts.now.wall_ms, messages: [], freed: [] });
  return answer(draft, agent, facts, null);
}
