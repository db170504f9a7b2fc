/**
 * Messages between agents, as the ledger keeps them: `message:<id>` has the full message, `inbox:<agent>` the received
 * ones (their heads, at most INBOX_MAX), `thread:<id>` the messages of a thread, `topic:<name>` the followers of a
 * topic.
 */
import { asObject } from './json-object.ts';
import type { Json, Key } from './ledger.ts';
import type { AgentId, RepoPath } from './types.ts';

export const inboxKey = (agent: AgentId): Key => `inbox:${agent}`;
export const messageKey = (id: string): Key => `message:${id}`;
export const threadKey = (id: string): Key => `thread:${id}`;
export const topicKey = (name: string): Key => `topic:${name}`;

export type Importance = 'low' | 'normal' | 'high' | 'urgent';
export type MessageKind = 'message' | 'release-request' | 'release-ack' | 'release-defer';

export interface Message {
  /** `m-<lsn>`. */
  readonly id: string;
  readonly from: AgentId;
  readonly to: readonly AgentId[];
  readonly topic: string | null;
  /** Its own id unless the sender named a thread. */
  readonly thread_id: string;
  readonly subject: string;
  /** Whatever the sender wrote: data, never an instruction from guard. */
  readonly body: string;
  readonly kind: MessageKind;
  readonly importance: Importance;
  readonly ack_required: boolean;
  readonly sent_wall_ms: number;
}

/** One message in an inbox. `told`: a hook has shown it. */
export interface InboxEntry extends Pick<
  Message,
  'id' | 'from' | 'thread_id' | 'kind' | 'importance' | 'ack_required'
> {
  readonly read: boolean;
  readonly told: boolean;
  readonly acked: boolean;
}

/** As the requester wrote it. */
export interface Negotiation {
  readonly thread_id: string;
  /** As the requester wrote it. */
  readonly file: string;
  /** The file it refers to; `null` for a glob. */
  readonly path: RepoPath | null;
  /** The pattern it refers to, and the checkout; `null` for a request that an older client sent as a message. */
  readonly over: { readonly scope: string; readonly pattern: string } | null;
  readonly from: AgentId;
  readonly to: AgentId;
  readonly urgency: 'normal' | 'urgent';
  readonly since_wall_ms: number;
  readonly deferred: boolean;
  readonly eta_minutes: number | null;
  readonly escalated: boolean;
  /** Only in the inbox of the agent that was asked: the files already promised to the requester for a first try. */
  readonly promised?: readonly RepoPath[];
}

/** A message whose receivers should acknowledge it and have not. */
export type AwaitedAck = Pick<Message, 'id' | 'to' | 'importance' | 'sent_wall_ms'>;

/** State of `inbox:<agent>`. */
export interface Inbox {
  readonly heads: readonly InboxEntry[];
  readonly talks: readonly Negotiation[];
  readonly awaited: readonly AwaitedAck[];
  /** Agents whose messages are not accepted. */
  readonly blocked: readonly AgentId[];
  /** Sent in this minute of the monotonic clock. */
  readonly sent: { readonly minute: number; readonly count: number };
}

export interface Thread {
  readonly ids: readonly string[];
  /** Time of the last message in it. */
  readonly at_wall_ms: number;
}

export interface Topic {
  readonly followers: readonly AgentId[];
}

const NOTHING: Inbox = { heads: [], talks: [], awaited: [], blocked: [], sent: { minute: -1, count: 0 } };

/** An inbox is rewritten for every incoming message, so fields with their usual values are not stored. */
export function asInbox(state: Json | undefined): Inbox {
  if (!state) return NOTHING;
  const stored = state as unknown as Inbox;
  return { ...stored, heads: stored.heads.map(asHead) };
}

/** Fields are spelled out because one read of an inbox does this 200 times. */
const asHead = ({
  id,
  from,
  thread_id = id,
  kind = 'message',
  importance = 'normal',
  ack_required = false,
  read = false,
  told = false,
  acked = false,
}: Pick<InboxEntry, 'id' | 'from'> & Partial<InboxEntry>): InboxEntry => ({
  id,
  from,
  thread_id,
  kind,
  importance,
  ack_required,
  read,
  told,
  acked,
});

/** The inverse; JSON leaves out `undefined`. */
export const storedInbox = (inbox: Inbox): object => ({
  ...inbox,
  heads: inbox.heads.map((head) => ({
    id: head.id,
    from: head.from,
    thread_id: head.thread_id === head.id ? undefined : head.thread_id,
    kind: head.kind === 'message' ? undefined : head.kind,
    importance: head.importance === 'normal' ? undefined : head.importance,
    ack_required: head.ack_required || undefined,
    read: head.read || undefined,
    told: head.told || undefined,
    acked: head.acked || undefined,
  })),
});

export const asMessage = (state: Json | undefined): Message | null =>
  state ? (state as unknown as Message) : null;
export const asThread = (state: Json | undefined): Thread =>
  state ? (state as unknown as Thread) : { ids: [], at_wall_ms: 0 };
export const asTopic = (state: Json | undefined): Topic =>
  state ? (state as unknown as Topic) : { followers: [] };

const KINDS: readonly string[] = ['release-request', 'release-ack', 'release-defer'];
/** The agent that asked and the one that was asked: in someone else's thread a third agent may write too. */
export type NegotiationParties = Pick<Negotiation, 'thread_id' | 'from' | 'to'>;

export const isSameNegotiation = (one: NegotiationParties, other: NegotiationParties): boolean =>
  one.thread_id === other.thread_id && one.from === other.from && one.to === other.to;

const isKind = (word: unknown): word is MessageKind => typeof word === 'string' && KINDS.includes(word);

/** Determined by the body's `type`, otherwise by the subject. */
export function messageKindOf(body: string, subject: string): MessageKind {
  const { type } = fieldsOf(body);
  if (isKind(type)) return type;
  return isKind(subject) ? subject : 'message';
}

/** The fields of a body that is a JSON object; otherwise none. */
export function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  if (!body.startsWith('{')) return {};
  try {
    return asObject(JSON.parse(body));
  } catch {
    return {};
  }
}

/** The number in `m-<lsn>`; 0 for anything else. */
export const messageNumberOf = (id: string): number => Number(/^m-(\d{1,15})$/.exec(id)?.[1] ?? 0);
