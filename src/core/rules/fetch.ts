/** Looking into an inbox: what is unread first; else the newest, or everything from some point on. */
import type { View } from '../ledger.ts';
import { asMessage, messageKey, messageNumberOf } from '../mailbox.ts';
import type { InboxEntry, Message } from '../mailbox.ts';
import { NEWEST, PAGE, PAGE_CHARS } from '../limits.ts';
import { draftOver } from '../states.ts';
import type { Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { unreadIn } from './deliver.ts';
import { expiredOf } from './expired.ts';
import type { Expired } from './expired.ts';
import { change, inboxOf } from './mail.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface FetchEvent {
  readonly type: 'message.fetch';
  readonly who: Who;
  /** Everything that came after this number, oldest first; null: what is unread, or else the newest of all. */
  readonly after: number | null;
}

export interface Fetched {
  readonly letters: readonly (Message & { readonly read: boolean })[];
  /** Of the last one shown; as given where there was none. */
  readonly last: number;
  readonly more: boolean;
  /** How many were unread before this. */
  readonly unread: number;
  readonly expired: readonly Expired[];
}

/** One page, oldest first; what is shown counts as read. */
export function fetchInbox(view: View, { who, after }: FetchEvent, facts: Facts): Step<Fetched> {
  const { id } = who;
  const draft = draftOver(view);
  const inbox = inboxOf(draft, id);
  const wanted = wantedOf(inbox.heads, after);
  const agent = present(draft, who, facts, view.next);
  const letters = wanted.flatMap((head) => {
    const letter = asMessage(view.get(messageKey(head.id)));
    return letter === null ? [] : [{ ...letter, read: head.read }];
  });
  const shown = pageOf(letters.slice(0, PAGE));
  const ids = shown.map((letter) => letter.id);
  // Forgotten messages leave their heads behind: these go, or nothing that came after them would ever be shown.
  const lost = wanted.filter((head) => !letters.some((letter) => letter.id === head.id));
  const heads = inbox.heads.filter((head) => !lost.includes(head));
  const fresh = heads.some((head) => !head.read && ids.includes(head.id));
  if (fresh || lost.length > 0) {
    change(draft, id, {
      heads: heads.map((head) => (ids.includes(head.id) ? { ...head, read: true, told: true } : head)),
    });
    draft.record({ type: 'read', agent: id, ts_ms: facts.now.wall_ms, messages: ids });
  }
  const expired = expiredOf(draft, id, facts);
  const last = Math.max(after ?? 0, ...ids.map(messageNumberOf));
  const more = letters.length > shown.length;
  return answer(draft, agent, facts, { letters: shown, last, more, unread: unreadIn(heads), expired });
}

function wantedOf(heads: readonly InboxEntry[], after: number | null): readonly InboxEntry[] {
  if (after !== null) return heads.filter((head) => messageNumberOf(head.id) > after);
  const unread = heads.filter(({ read }) => !read);
  return unread.length > 0 ? unread : heads.slice(-NEWEST);
}

/** As many as fit, at least one. */
function pageOf<T extends Message>(letters: readonly T[]): T[] {
  let room = PAGE_CHARS;
  return letters.filter(({ body }, at) => {
    room -= body.length;
    return at === 0 || room >= 0;
  });
}
