/**
 * What a hook tells an agent of its inbox, once: requests to release, answers to its own, urgent messages; and that a file
 * it asked for is free. The rest waits until the agent looks.
 */
import { isAlive } from '../alive.ts';
import { GLOBS, pathKey } from '../keys.ts';
import type { Json, View } from '../ledger.ts';
import { asInbox, asLetter, inboxKey, letterKey } from '../letters.ts';
import type { Letter, Talk } from '../letters.ts';
import { missingFor, missingKeys } from '../need.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { expiredOf } from './expired.ts';
import { liveHolds } from './lease.ts';
import { change, closeTalk, isNews, mailKeys } from './mail.ts';
import { reservationsOn } from './reserved.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

/** At one hook. */
const SHOWN = 3;

export interface DeliverEvent {
  readonly type: 'message.deliver';
  readonly who: Who;
}

export interface Delivered {
  readonly letters: readonly Letter[];
  /** Important ones that did not fit, shown at the next hook. */
  readonly more: number;
  /** Files that were asked for and that their holders no longer hold. */
  readonly freed: readonly Talk[];
}

/** Whether there is anything that a hook would tell, by the inbox's state alone. */
export function hasNews(state: Json | undefined, agent: string): boolean {
  const { heads, talks } = asInbox(state);
  return heads.some(isNews) || talks.some((talk) => talk.from === agent && talk.path !== null);
}

export function deliver(view: View, { who }: DeliverEvent, facts: Facts): Step<Delivered> {
  const missing = missingKeys(view, mailKeys(who.id, [], null));
  if (missing.length > 0) return { need: missing };
  const { heads, talks } = asInbox(view.get(inboxKey(who.id)));
  const asked = talks.filter((talk) => talk.from === who.id && talk.path !== null);
  const paths = asked.flatMap(({ path }) => path ?? []);
  const news = heads.filter(isNews);
  const now = news.slice(0, SHOWN);
  const escalates = (facts.policy.escalate ?? 'off') !== 'off';
  const others = escalates ? talks.flatMap(({ from, to }) => [from, to]) : asked.map(({ to }) => to);
  const needed = [
    ...missingFor(view, paths, [who.id, ...asked.map(({ to }) => to)], paths.map(pathKey)),
    ...missingKeys(view, [...now.map(({ id }) => letterKey(id)), ...others.map(inboxKey)]),
  ];
  if (needed.length > 0) return { need: needed };
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  // Whoever asked goes on working, and need not look into its inbox for it.
  if (escalates) expiredOf(draft, who.id, facts);
  const freed = asked.filter((talk) => !isHeld(draft, talk, facts));
  for (const talk of freed) for (const one of [who.id, talk.to]) closeTalk(draft, one, talk);
  const ids = now.map(({ id }) => id);
  if (ids.length > 0)
    change(draft, who.id, {
      heads: heads.map((head) => (ids.includes(head.id) ? { ...head, told: true } : head)),
    });
  if (ids.length + freed.length > 0)
    draft.record({
      type: 'told',
      agent: who.id,
      ts_ms: facts.now.wall_ms,
      messages: ids,
      freed: freed.map(({ file }) => file),
    });
  return answer(draft, agent, facts, {
    letters: ids.flatMap((id) => asLetter(view.get(letterKey(id))) ?? []),
    more: news.length - now.length,
    freed,
  });
}

/** By the one who was asked. */
function isHeld(draft: Draft, { path, to }: Talk, facts: Facts): boolean {
  if (path === null) return true;
  if (!isAlive(draft, to, facts)) return false;
  if (liveHolds(draft, path, facts).some(({ agent }) => agent === to)) return true;
  return draft.get(GLOBS) ? reservationsOn(draft, path, facts).some(({ agent }) => agent === to) : false;
}
