/** Asking for a file that another agent holds, and answering. */
import * as z from 'zod';
import { NEGOTIATE_RELEASE } from '../../operations/negotiation.ts';
import { PENDING_REQUESTS, RESPOND_TO_RELEASE } from '../../operations/negotiation-response.ts';
import { claimed } from '../fields.ts';
import { type HttpRoute, route } from '../route.ts';
import { NegotiationAnswer, NegotiationTimeout, PendingRequest, ResponseAnswerSchema } from '../shapes.ts';

const { thread_id, ...response } = RESPOND_TO_RELEASE.fields;

export const NEGOTIATION_ROUTES: readonly HttpRoute[] = [
  route({
    method: 'POST',
    path: '/api/negotiations',
    name: 'requestRelease',
    summary: 'Ask the agent that holds a file to release it, and wait for its answer if wanted',
    caller: 'acts',
    body_name: 'NewNegotiation',
    body: { agent_id: claimed, ...NEGOTIATE_RELEASE.fields },
    answer: { about: 'Pending, or how the wait ended', schema: NegotiationAnswer },
    claims: ({ body }) => [body.agent_id],
    run: ({ body }, space, around) => NEGOTIATE_RELEASE.run(body, space, around),
  }),
  route({
    method: 'POST',
    path: '/api/negotiations/{thread_id}/response',
    name: 'respondToRelease',
    summary: 'Answer a request: release what the caller holds there, or say when',
    caller: 'acts',
    params: { thread_id },
    body_name: 'NewResponse',
    body: { agent_id: claimed, ...response },
    answer: { about: 'What ended, or what was promised', schema: ResponseAnswerSchema },
    claims: ({ body }) => [body.agent_id],
    run: ({ params, body }, space, around) => RESPOND_TO_RELEASE.run({ ...params, ...body }, space, around),
  }),
  route({
    method: 'GET',
    path: '/api/negotiations',
    name: 'pendingRequests',
    summary: 'Unsettled requests from and to the caller',
    caller: 'acts',
    answer: {
      about: 'Those in both directions',
      schema: z.object({
        requests: z.array(PendingRequest),
        negotiation_timeouts: z.array(NegotiationTimeout),
      }),
    },
    run: (_, space, around) => PENDING_REQUESTS.run({}, space, around),
  }),
];
