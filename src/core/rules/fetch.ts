/** Reads an inbox: unread messages first; otherwise the newest, or everything after a given number. */
import type { View } from '../ledger.ts';
import { asMessage, type InboxEntry, type Message, messageKey, messageNumberOf } from '../mailbox.ts';
import { NEWEST, PAGE, PAGE_CHARS } from '../limits.ts';
import type { Facts } from '../types.ts';
import type { Who } from './who.ts';
import { unreadIn } from './deliver.ts';
import { type Expired, expiredOf } from './expired.ts';
import { change, inboxOf } from './mail.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';

export interface FetchEvent {
  readonly type: 'message.fetch';
  readonly who: Who;
  /** Everything after this number, oldest first; `null`: the unread messages or, if there are none, the newest. */
  readonly after: number | null;
}

export interface Fetched {
  readonly messages: readonly (Message & { readonly read: boolean })[];
  /** The number of the last message shown; as given if there was none. */
  readonly last: number;
  readonly more: boolean;
  /** How many were unread before this read. */
  readonly unread: number;
  readonly expired: readonly Expired[];
}

/** One page, oldest first; what is shown counts as read. */
export function fetchInbox(view: View, { who, after }: FetchEvent, facts: Facts): Step<Fetched> {
  const { id } = who;
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  const inbox = inboxOf(changes, id);
  const wanted = wantedOf(inbox.heads, after);
  const messages = wanted.flatMap((head) => {
    const message = asMessage(view.get(messageKey(head.id)));
    return message === null ? [] : [{ ...message, read: head.read }];
  });
  const shown = pageOf(messages.slice(0, PAGE));
  const ids = shown.map((message) => message.id);
  // Forgotten messages leave their heads behind. These are removed, or nothing that came after them would ever be
  // shown.
  const lost = wanted.filter((head) => !messages.some((message) => message.id === head.id));
  const heads = inbox.heads.filter((head) => !lost.includes(head));
  const fresh = heads.some((head) => !head.read && ids.includes(head.id));
  if (fresh || lost.length > 0) {
    change(changes, id, {
      heads: heads.map((head) => (ids.includes(head.id) ? { ...head, read: true, told: true } : head)),
    });
    record(tx, 'read', { messages: ids });
  }
  const expired = expiredOf(changes, id, facts);
  const last = Math.max(after ?? 0, ...ids.map(messageNumberOf));
  const more = messages.length > shown.length;
  return answer(tx, { messages: shown, last, more, unread: unreadIn(heads), expired });
}

function wantedOf(heads: readonly InboxEntry[], after: number | null): readonly InboxEntry[] {
  if (after !== null) return heads.filter((head) => messageNumberOf(head.id) > after);
  const unread = heads.filter(({ read }) => !read);
  return unread.length > 0 ? unread : heads.slice(-NEWEST);
}

/** As many as fit, at least one. */
function pageOf<T extends Message>(messages: readonly T[]): T[] {
  let room = PAGE_CHARS;
  return messages.filter(({ body }, at) => {
    room -= body.length;
    return at === 0 || room >= 0;
  });
}
