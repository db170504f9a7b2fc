/** Messages: sending, the inbox, threads, acknowledging. */
import * as z from 'zod';
import { fetchInbox, fetchThread, sendMessage, whyNotSent } from '../../coordination/mailbox.ts';
import type { Sent } from '../../core/rules/mail.ts';
import { isHere } from '../../coordination/desk.ts';
import { sameProject } from '../project.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import { agentId, Failure, Inbox, label, Message, NewMessage, project, SentMessage } from '../shapes.ts';

export const MESSAGE_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/messages',
    name: 'sendMessage',
    summary: 'Write to agents, to everybody who is here, or to those who follow a topic',
    caller: 'acts',
    body: NewMessage,
    answers: {
      201: { about: 'Sent', schema: SentMessage },
      403: { about: 'The recipient takes no messages from this agent', schema: Failure },
      404: { about: 'There is nobody to send it to', schema: Failure },
      409: { about: 'It says "released" of what its sender still holds', schema: Failure },
      429: { about: 'Too many in this minute', schema: Failure },
    },
    claims: ({ body }) => [body.from],
    run({ body }, desk) {
      sameProject(desk, body.project);
      const { to, body: text, subject, thread_id, importance, ack_required, topic } = body;
      const sent = sendMessage(desk, {
        to: typeof to === 'string' ? [to] : to,
        body: text,
        ...(subject === undefined ? {} : { subject }),
        ...(thread_id === undefined ? {} : { thread_id }),
        ...(importance === undefined ? {} : { importance }),
        ...(ack_required === undefined ? {} : { ack_required }),
        ...(topic === undefined ? {} : { topic }),
      });
      if (sent.error !== null) throw notSent(sent, sent.error, desk.ledger.facts().now.mono_ms);
      const { id: message_id, thread_id: thread, delivered, blocked } = sent;
      return { status: 201, body: { message_id, thread_id: thread, to: delivered, blocked_by: blocked } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/inbox/{agent_id}',
    name: 'fetchInbox',
    summary:
      'Messages to the caller: what is unread, or else the newest; with a cursor all that came after it. What is shown counts as read',
    caller: 'acts',
    params: { agent_id: agentId },
    query: {
      project: project.optional(),
      cursor: z.string().max(40).default('').describe('`next_cursor` of a call before'),
      include_read: z
        .enum(['true', 'false'])
        .default('false')
        .describe('Without a cursor: all of them from the oldest on'),
    },
    answers: { 200: { about: 'A page', schema: Inbox } },
    claims: ({ params }) => [params.agent_id],
    run: ({ query }, desk) => ({
      status: 200,
      body: isHere(desk, query.project)
        ? fetchInbox(desk, { cursor: query.cursor, include_read: query.include_read === 'true' })
        : { messages: [], next_cursor: '', has_more: false, unread: 0 },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/threads/{thread_id}',
    name: 'fetchThread',
    summary:
      'A conversation, oldest first: all of it for those who take part, else what the caller wrote or got',
    caller: 'acts',
    params: { thread_id: label('Of the thread') },
    query: { project: project.optional() },
    answers: {
      200: {
        about: 'Empty: there is no such thread, or the caller has no part in it',
        schema: z.object({ thread_id: z.string(), messages: z.array(Message) }),
      },
    },
    run: ({ params: { thread_id }, query }, desk) => ({
      status: 200,
      body: { thread_id, messages: isHere(desk, query.project) ? fetchThread(desk, thread_id) : [] },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/messages/{message_id}/ack',
    name: 'acknowledge',
    summary: 'Acknowledge a message in the inbox of the caller',
    caller: 'acts',
    params: { message_id: label('Of the message') },
    body: z.object({ agent_id: agentId.optional() }),
    answers: {
      200: { about: 'Done', schema: z.object({ message_id: z.string(), acknowledged: z.literal(true) }) },
      404: { about: 'It is not in that inbox', schema: Failure },
    },
    claims: ({ body }) => [body.agent_id],
    run({ params: { message_id } }, { ledger, who }) {
      if (ledger.run({ type: 'message.ack', who, id: message_id }))
        return { status: 200, body: { message_id, acknowledged: true } };
      throw new Refusal(404, 'NO_MESSAGE', `There is no message ${message_id} in the inbox of ${who.id}.`);
    },
  }),
];

const STATUS: Readonly<Record<NonNullable<Sent['error']>, 403 | 404 | 409 | 429>> = {
  RATE_LIMITED: 429,
  BLOCKED: 403,
  NOBODY: 404,
  STILL_HELD: 409,
};

/** Messages are counted by minutes of the monotonic clock (src/core/rules/mail.ts). */
function notSent(sent: Sent, error: NonNullable<Sent['error']>, mono_ms: number): Refusal {
  const retry_after = error === 'RATE_LIMITED' ? Math.ceil((60_000 - (mono_ms % 60_000)) / 1_000) : 0;
  return new Refusal(STATUS[error], error, `Not sent: ${whyNotSent(sent) ?? error}.`, { retry_after });
}
