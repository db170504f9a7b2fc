/** Reading and acknowledging messages, and choosing whose messages to receive. */
import { GuardError } from '../core/error.ts';
import { asInbox, asMessage, inboxKey, messageKey, messageNumberOf } from '../core/mailbox.ts';
import type { Message } from '../core/mailbox.ts';
import type { Expired } from '../core/rules/expired.ts';
import { staleAcks, threadMessages } from '../core/rules/message.ts';
import { readableBy } from '../core/speakers.ts';
import { changesOver } from '../core/states.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { onSnapshot } from '../store/operate.ts';
import { consult } from '../store/transact.ts';
import { agentCalled } from './agents.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { flag, type InputOf, label, oneOrMany, optional, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { isHere, ofProject } from './project.ts';
import { Refused } from './refused.ts';

export interface InboxMessage extends Omit<Message, 'kind' | 'sent_wall_ms'> {
  readonly message_id: string;
  readonly timestamp: string;
  readonly created_at: string;
  readonly read: boolean;
}

export interface InboxAnswer {
  readonly messages: readonly InboxMessage[];
  /** For the next call, which then returns only what comes after it. */
  readonly next_cursor: string;
  readonly has_more: boolean;
  /** How many were unread before this call; the messages returned count as read. */
  readonly unread: number;
  readonly negotiation_timeouts?: readonly Expired[];
}

const LOOKING = {
  cursor: withDefault(text('next_cursor of an earlier call', { max_chars: 80 }), ''),
  include_read: withDefault(flag('Without a cursor: all, oldest first'), false),
  ...ofProject,
};

export const FETCH_INBOX = operation('fetch_inbox', LOOKING, fetchInbox);

/** @throws GuardError GUARD_ERR_CURSOR for a cursor that no call returned */
function fetchInbox(
  { cursor, include_read, project }: InputOf<typeof LOOKING>,
  space: CallerWorkspace,
): InboxAnswer {
  if (!isHere(space, project)) return { messages: [], next_cursor: '', has_more: false, unread: 0 };
  if (cursor !== '') checkCursor(space, cursor);
  const { messages, last, more, unread, expired } = space.run({
    type: 'message.fetch',
    who: space.who,
    after: cursor === '' && !include_read ? null : messageNumberOf(cursor),
  });
  return {
    messages: messages.map((message) => messageOf(message, message.read)),
    next_cursor: last === 0 ? '' : `m-${last}`,
    has_more: more,
    unread,
    ...(expired.length > 0 ? { negotiation_timeouts: expired } : {}),
  };
}

/** A cursor is the id of a message that was received in this inbox, even if it has been dropped since. */
function checkCursor({ store, who }: CallerWorkspace, cursor: string): void {
  const inbox = inboxKey(who.id);
  const message = messageKey(cursor);
  const view = store.look([inbox, message]);
  const isHere = asInbox(view.get(inbox)).heads.some(({ id }) => id === cursor);
  if (isHere || asMessage(view.get(message))?.to.includes(who.id) === true) return;
  throw new GuardError(
    'GUARD_ERR_CURSOR',
    `${JSON.stringify(cursor.slice(0, 80))} is not a cursor of this inbox.`,
    'Leave it out to get unread messages first.',
    { cursor: cursor.slice(0, 80) },
  );
}

function messageOf(message: Message, read: boolean): InboxMessage {
  const { id, from, to, body, thread_id, subject, importance, ack_required, topic, sent_wall_ms } = message;
  const at = rfc3339(sent_wall_ms);
  return {
    ...{ id, message_id: id, from, to, body, thread_id, subject, importance, ack_required, topic },
    ...{ timestamp: at, created_at: at, read },
  };
}

/** Oldest first, limited to what the caller may read: others' messages to each other are private. */
export const FETCH_THREAD = operation(
  'fetch_thread',
  { thread_id: label(''), ...ofProject },
  ({ thread_id, project }, space) => ({
    messages: isHere(space, project)
      ? readableBy(messagesOf(space, thread_id), space.who.id).map((message) => messageOf(message, true))
      : [],
  }),
);

/** All of them, to search for an answer; none of it is shown. */
export const messagesOf = ({ store }: CallerWorkspace, id: string): readonly Message[] =>
  onSnapshot(store, (view) => threadMessages(view, id));

/** Without a message id: the caller's own messages that have waited too long for an acknowledgement. */
export const ACKNOWLEDGE = operation(
  'acknowledge',
  { message_id: optional(label('Of the message')) },
  ({ message_id }, space) => {
    const { store, run, who } = space;
    if (message_id === undefined) {
      const facts = space.facts();
      const stale = consult(store, (view) => staleAcks(changesOver(view), who.id, facts));
      return { stale: stale.map(({ id, to }) => ({ message_id: id, to })) };
    }
    if (run({ type: 'message.ack', who, id: message_id })) return { message_id, acknowledged: true as const };
    const hint = 'Use fetch_inbox or "guard message inbox" to get the ids.';
    throw new Refused('NO_MESSAGE', `There is no message ${message_id} in the inbox of ${who.id}.`, hint);
  },
);

const NAMES_MAX = 200;
const names = () => withDefault(oneOrMany('', label(''), NAMES_MAX), []);

/** Which agents the caller blocks, and which topics it follows. */
export const MESSAGE_SETTINGS = operation(
  'message_settings',
  { block: names(), unblock: names(), follow: names(), unfollow: names() },
  ({ block, unblock, follow, unfollow }, space) => {
    const ids = (called: readonly string[]): string[] => called.map((name) => agentCalled(space, name));
    const wanted = { block: ids(block), unblock: ids(unblock), follow, unfollow };
    return { blocked: space.run({ type: 'message.prefer', who: space.who, ...wanted }) };
  },
);
