/** Messages between agents, in the words of the tools. */
import { GuardError } from '../core/error.ts';
import { asInbox, asLetter, inboxKey, letterKey, numberOf } from '../core/letters.ts';
import type { Importance, Letter } from '../core/letters.ts';
import { BODY_MAX_CHARS, SUBJECT_MAX_CHARS } from '../core/limits.ts';
import type { Expired } from '../core/rules/expired.ts';
import type { Sent } from '../core/rules/mail.ts';
import { staleAcks, threadLetters } from '../core/rules/message.ts';
import { readableBy } from '../core/speakers.ts';
import { draftOver } from '../core/states.ts';
import { rfc3339 } from '../core/time.ts';
import { onSnapshot } from '../store/operate.ts';
import { agentCalled } from './agents.ts';
import type { Desk } from './desk.ts';
import { consult } from '../store/transact.ts';

export interface Message {
  readonly id: string;
  readonly message_id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly body: string;
  readonly thread_id: string;
  readonly subject: string;
  readonly importance: Importance;
  readonly ack_required: boolean;
  readonly topic: string | null;
  readonly timestamp: string;
  readonly created_at: string;
  readonly read: boolean;
}

export interface Writing {
  /** Agents by id or name; `*` is everybody who is here. */
  readonly to: readonly string[];
  readonly body: string;
  readonly subject?: string;
  readonly topic?: string;
  readonly thread_id?: string;
  readonly importance?: Importance;
  readonly ack_required?: boolean;
}

/** @throws GuardError GUARD_ERR_USAGE for an agent that is not known, and for what is too long */
export function sendMessage(desk: Desk, writing: Writing): Sent {
  const { body, subject = '' } = writing;
  // Models fill in what they need not: an empty name is none.
  const [topic, thread_id] = [writing.topic || null, writing.thread_id || null];
  if (body.length > BODY_MAX_CHARS) throw tooLong('body', BODY_MAX_CHARS);
  if (subject.length > SUBJECT_MAX_CHARS) throw tooLong('subject', SUBJECT_MAX_CHARS);
  for (const name of [topic, thread_id]) checkedName(name ?? '');
  const to = writing.to.includes('*') ? 'everybody' : writing.to.map((name) => agentCalled(desk, name));
  return desk.ledger.run({
    type: 'message.send',
    who: desk.who,
    to,
    letter: {
      body,
      subject,
      topic,
      thread_id,
      importance: writing.importance ?? 'normal',
      ack_required: writing.ack_required ?? false,
    },
  });
}

/** Of a topic or a thread. @throws GuardError GUARD_ERR_USAGE */
export function checkedName(name: string): string {
  if (name.length > SUBJECT_MAX_CHARS) throw tooLong('name', SUBJECT_MAX_CHARS);
  return name;
}

const tooLong = (what: string, most: number): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `The ${what} is longer than ${most} characters.`,
    'Say it shorter, or name a file.',
    {
      most,
    },
  );

/** Why a message was not sent, in words; null: it was. */
export const whyNotSent = ({ error }: Pick<Sent, 'error'>): string | null =>
  error === null ? null : NOT_SENT[error];

const NOT_SENT: Readonly<Record<NonNullable<Sent['error']>, string>> = {
  RATE_LIMITED: 'too many messages in this minute; wait a minute',
  BLOCKED: 'the recipient takes no messages from you',
  STILL_HELD: 'you still hold it; respond_to_release releases it and says so',
  NOBODY: 'there is nobody to send it to',
};

export interface InboxAnswer {
  readonly messages: readonly Message[];
  /** For the next call: only what comes after it. */
  readonly next_cursor: string;
  readonly has_more: boolean;
  /** How many were unread before this; those shown count as read. */
  readonly unread: number;
  readonly negotiation_timeouts?: readonly Expired[];
}

export interface Looking {
  /** `next_cursor` of a call before; empty: none. */
  readonly cursor?: string | undefined;
  /** Without a cursor: everything from the oldest on, instead of what is unread. */
  readonly include_read?: boolean | undefined;
}

/** @throws GuardError GUARD_ERR_CURSOR for a cursor that no call gave */
export function fetchInbox(desk: Desk, { cursor = '', include_read = false }: Looking = {}): InboxAnswer {
  if (cursor !== '') checkCursor(desk, cursor);
  const { letters, last, more, unread, expired } = desk.ledger.run({
    type: 'message.fetch',
    who: desk.who,
    after: cursor === '' && !include_read ? null : numberOf(cursor),
  });
  return {
    messages: letters.map((letter) => messageOf(letter, letter.read)),
    next_cursor: last === 0 ? '' : `m-${last}`,
    has_more: more,
    unread,
    ...(expired.length > 0 ? { negotiation_timeouts: expired } : {}),
  };
}

/** A cursor is a message that came into this inbox, also one that made room for others since. */
function checkCursor({ ledger, who }: Desk, cursor: string): void {
  const inbox = inboxKey(who.id);
  const letter = letterKey(cursor);
  const view = ledger.store.look([inbox, letter]);
  const isHere = asInbox(view.get(inbox)).heads.some(({ id }) => id === cursor);
  if (isHere || asLetter(view.get(letter))?.to.includes(who.id) === true) return;
  throw new GuardError(
    'GUARD_ERR_CURSOR',
    `${JSON.stringify(cursor.slice(0, 80))} is no cursor of this inbox.`,
    'Leave it out: then what is unread comes first.',
    { cursor: cursor.slice(0, 80) },
  );
}

function messageOf(letter: Letter, read: boolean): Message {
  const { id, from, to, body, thread_id, subject, importance, ack_required, topic, sent_wall_ms } = letter;
  const at = rfc3339(sent_wall_ms);
  return {
    ...{ id, message_id: id, from, to, body, thread_id, subject, importance, ack_required, topic },
    timestamp: at,
    created_at: at,
    read,
  };
}

/** Oldest first, as far as the caller may read it: what others say to each other is theirs. */
export const fetchThread = (desk: Desk, id: string): readonly Message[] =>
  readableBy(lettersOf(desk, id), desk.who.id).map((letter) => messageOf(letter, true));

/** All of them, for who looks for an answer; nothing of it is shown. */
export const lettersOf = ({ ledger }: Desk, id: string): readonly Letter[] =>
  onSnapshot(ledger.store, (view) => threadLetters(view, id));

/** Own messages that still wait for an acknowledgement, longer than they should. */
export function waitingForAck({ ledger, who }: Desk): ReturnType<typeof staleAcks> {
  const facts = ledger.facts();
  return consult(ledger.store, (view) => staleAcks(draftOver(view), who.id, facts));
}
