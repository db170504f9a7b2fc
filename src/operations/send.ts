/** Writing to other agents, and why a message was not sent. */
import type { Importance } from '../core/mailbox.ts';
import { asDraftState, draftKey, isOver } from '../core/drafts.ts';
import { BODY_MAX_CHARS, RECIPIENTS_MAX, SUBJECT_MAX_CHARS } from '../core/limits.ts';
import type { Sent } from '../core/rules/mail.ts';
import { agentCalled } from './agents.ts';
import type { CallerWorkspace, Workspace } from '../workspace/workspace.ts';
import { choice, flag, type InputOf, label, oneOrMany, optional, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { readInput, wrong } from './read-input.ts';
import { Refused } from './refused.ts';

export const IMPORTANCE = ['low', 'normal', 'high', 'urgent'] as const satisfies readonly Importance[];

const WRITTEN = {
  to: {
    ...withDefault(oneOrMany("Ids or names; '*' for all agents", label(''), RECIPIENTS_MAX), []),
    is_asked: true as const,
  },
  body: text('', { max_chars: BODY_MAX_CHARS }),
  subject: withDefault(text('', { max_chars: SUBJECT_MAX_CHARS }), ''),
  thread_id: optional(label('')),
  importance: withDefault(choice('', IMPORTANCE), 'normal'),
  topic: optional(label('Also to its followers')),
  ack_required: withDefault(flag(''), false),
};

interface SentMessage {
  readonly message_id: string;
  readonly thread_id: string;
  /** The agents that received it. */
  readonly to: readonly string[];
  /** Agents that accept no messages from this sender. */
  readonly blocked_by: readonly string[];
}

export const SEND_MESSAGE = operation('send_message', WRITTEN, sendMessage);

function sendMessage(written: InputOf<typeof WRITTEN>, space: CallerWorkspace): SentMessage {
  const { to, topic = null, thread_id = null } = written;
  const { body, subject, importance, ack_required } = written;
  const named = to.includes('*') ? 'everybody' : to.map((name) => agentCalled(space, name));
  if (named !== 'everybody') for (const id of named) requireReader(space, id);
  if (to.length === 0 && topic === null)
    throw wrong('to', 'No recipient: name agents ("*" for all of them) or a topic.');
  const {
    id,
    thread_id: thread,
    delivered,
    blocked,
    error,
  } = space.run({
    type: 'message.send',
    who: space.who,
    to: named,
    message: { body, subject, importance, ack_required, topic, thread_id },
  });
  refuseUnsent(error, space);
  return { message_id: id, thread_id: thread, to: delivered, blocked_by: blocked };
}

/** An ended drafted agent reads no inbox. @throws Refused */
function requireReader({ store }: Workspace, id: string): void {
  const key = draftKey(id);
  const draft = asDraftState(store.look([key]).get(key));
  if (draft !== undefined && isOver(draft))
    throw new Refused('GONE', `Not sent: ${id} has ended.`, `guard agent send ${id} TEXT resumes it.`, {
      agent: id,
    });
}

/** An old form of negotiate_release: a message with a body that old clients know. */
export const REQUEST_RELEASE = operation(
  'request_release',
  { agent_name: label(''), pattern: text(''), reason: text('') },
  ({ agent_name, pattern, reason }, space) => {
    const to = agentCalled(space, agent_name);
    const body = JSON.stringify({ type: 'release-request', pattern, reason, requester: space.who.id });
    sendMessage(readInput(WRITTEN, { to, body }).input, space);
    return { sent: true, to, type: 'release-request' };
  },
);

/** @throws Refused if a message was not sent */
export function refuseUnsent(error: Sent['error'], { facts }: Workspace): void {
  if (error === null) return;
  const [why, hint] = NOT_SENT[error];
  // Messages are counted by minutes of the monotonic clock (src/core/rules/mail.ts).
  const retry_after =
    error === 'RATE_LIMITED' ? Math.ceil((60_000 - (facts().now.mono_ms % 60_000)) / 1_000) : 0;
  throw new Refused(error, `Not sent: ${why}.`, hint, retry_after > 0 ? { retry_after } : {});
}

const NOT_SENT: Readonly<Record<NonNullable<Sent['error']>, readonly [why: string, hint: string]>> = {
  RATE_LIMITED: ['too many messages in this minute', 'Wait a minute.'],
  BLOCKED: ['the recipient accepts no messages from you', 'Wait for a lock instead, or write to others.'],
  STILL_HELD: ['you still hold it', 'respond_to_release releases it and says so.'],
  NOBODY: ['there is no one to send it to', 'Use list_agents to see who is here.'],
};
