/** Messages: sending, the inbox, threads, acknowledging. */
import * as z from 'zod';
import { label } from '../../operations/field.ts';
import { ACKNOWLEDGE, FETCH_INBOX, FETCH_THREAD } from '../../operations/messages.ts';
import { SEND_MESSAGE } from '../../operations/send.ts';
import { agentId, claimed, project } from '../fields.ts';
import { sameProject } from '../project.ts';
import { type HttpRoute, route } from '../route.ts';
import { InboxSchema, MessageSchema, SentMessage } from '../shapes.ts';

export const MESSAGE_ROUTES: readonly HttpRoute[] = [
  route({
    method: 'POST',
    path: '/api/messages',
    name: 'sendMessage',
    summary: 'Write to agents, to every active agent, or to those that follow a topic',
    caller: 'acts',
    body_name: 'NewMessage',
    body: { project, from: claimed, ...SEND_MESSAGE.fields },
    answer: { status: 201, about: 'Sent', schema: SentMessage },
    refusals: {
      403: 'The recipient takes no messages from this agent',
      404: 'There is no one to send it to',
      409: 'It says that something is released which its sender still holds',
      429: 'Too many in this minute',
    },
    claims: ({ body }) => [body.from],
    run({ body }, space, around) {
      sameProject(space, body.project);
      return SEND_MESSAGE.run(body, space, around);
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
    query: { ...FETCH_INBOX.fields, project },
    answer: { about: 'A page', schema: InboxSchema },
    claims: ({ params }) => [params.agent_id],
    run: ({ query }, space, around) => FETCH_INBOX.run(query, space, around),
  }),
  route({
    method: 'GET',
    path: '/api/threads/{thread_id}',
    name: 'fetchThread',
    summary:
      'A conversation, oldest first: all of it for participants, else what the caller wrote or received',
    caller: 'acts',
    params: { thread_id: label('Of the thread') },
    query: { project },
    answer: {
      about: 'Empty: there is no such thread, or the caller has no part in it',
      schema: z.object({ thread_id: z.string(), messages: z.array(MessageSchema) }),
    },
    run: async ({ params, query }, space, around) => {
      const told = await FETCH_THREAD.run({ ...params, ...query }, space, around);
      return { ...params, ...told };
    },
  }),
  route({
    method: 'POST',
    path: '/api/messages/{message_id}/ack',
    name: 'acknowledge',
    summary: 'Acknowledge a message in the inbox of the caller',
    caller: 'acts',
    params: { message_id: label('Of the message') },
    body: { agent_id: claimed },
    answer: { about: 'Done', schema: z.object({ message_id: z.string(), acknowledged: z.literal(true) }) },
    refusals: { 404: 'It is not in that inbox' },
    claims: ({ body }) => [body.agent_id],
    run: ({ params }, space, around) => ACKNOWLEDGE.run(params, space, around),
  }),
];
