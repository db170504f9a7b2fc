/** Asking for a file that another agent holds, and answering. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { negotiateRelease, pendingRequests, respondToRelease } from '../../coordination/negotiation.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import {
  label,
  NegotiationAnswer,
  NegotiationTimeout,
  NewNegotiation,
  NewResponse,
  PendingRequest,
  ResponseAnswer,
} from '../shapes.ts';

export const NEGOTIATION_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/negotiations',
    name: 'requestRelease',
    summary: 'Ask the agent that holds a file to release it, and wait for its answer if wanted',
    caller: 'acts',
    body: NewNegotiation,
    answers: { 200: { about: 'Pending, or how the wait ended', schema: NegotiationAnswer } },
    claims: ({ body }) => [body.agent_id],
    run: async ({ body }, desk, { ending }) => {
      const { agent_name, file, reason, urgency, wait_seconds } = body;
      const wait_ms = wait_seconds * 1_000;
      const request = { agent_name, file, reason, urgency, wait_ms, thread_id: randomUUID() };
      return { status: 200, body: await negotiateRelease(desk, request, ending()) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/negotiations/{thread_id}/response',
    name: 'respondToRelease',
    summary: 'Answer a request: release what the caller holds there, or say when',
    caller: 'acts',
    params: { thread_id: label('Of the request') },
    body: NewResponse,
    answers: { 200: { about: 'What ended, or what was promised', schema: ResponseAnswer } },
    claims: ({ body }) => [body.agent_id],
    run: ({ params: { thread_id }, body }, desk) => {
      const { requester, action, file, eta_minutes, reason } = body;
      const answer = respondToRelease(desk, { thread_id, requester, action, file, eta_minutes, reason });
      return { status: 200, body: answer };
    },
  }),
  route({
    method: 'GET',
    path: '/api/negotiations',
    name: 'pendingRequests',
    summary: 'Requests of and to the caller that are not settled',
    caller: 'acts',
    answers: {
      200: {
        about: 'Those of both directions',
        schema: z.object({
          requests: z.array(PendingRequest),
          negotiation_timeouts: z.array(NegotiationTimeout),
        }),
      },
    },
    run: (_, desk) => ({ status: 200, body: pendingRequests(desk) }),
  }),
];
