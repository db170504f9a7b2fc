/** Who is here: joining, saying what one can do, a sign of life, leaving. */
import * as z from 'zod';
import { agentsHere } from '../../coordination/agents.ts';
import type { Agent as AgentRow } from '../../coordination/agents.ts';
import { describe, leave } from '../../coordination/membership.ts';
import type { Desk } from '../../coordination/desk.ts';
import { sameProject } from '../project.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import { Agent, agentId, Failure, Left, NewAgent, project } from '../shapes.ts';

const params = { agent_id: agentId };

export const AGENT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/agents',
    name: 'listAgents',
    summary: 'Agents that are here',
    caller: 'anybody',
    query: {
      project: project.optional(),
      capability: z
        .preprocess((given) => (Array.isArray(given) ? given.join(',') : given), z.string().max(2_000))
        .optional()
        .describe('One or several, separated by commas: any of them'),
    },
    answers: { 200: { about: 'In the order of joining', schema: z.object({ agents: z.array(Agent) }) } },
    run: ({ query }, desk) => ({
      status: 200,
      body: {
        agents: agentsHere(desk, query),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/agents',
    name: 'registerAgent',
    summary: 'Join, and say who one is; again: change it',
    caller: 'acts',
    body: NewAgent,
    answers: {
      201: { about: 'Is here', schema: Agent },
      409: { about: 'Another agent has that name', schema: Failure },
    },
    claims: ({ body }) => [body.id, body.agent_id],
    run({ body }, desk) {
      sameProject(desk, body.project);
      const { name = '', capabilities, status } = body;
      if (describe(desk, { name: name === '' ? undefined : name, capabilities, status }))
        return { status: 201, body: self(desk) };
      throw new Refusal(409, 'NAME_TAKEN', `Another agent is called ${name}.`, {
        hint: 'Choose another name.',
      });
    },
  }),
  route({
    method: 'POST',
    path: '/api/agents/{agent_id}/heartbeat',
    name: 'heartbeat',
    summary: 'A sign of life: keeps the agent from being idle, and its locks from expiring',
    caller: 'acts',
    params,
    body: z.object({}),
    answers: { 204: { about: 'Heard', schema: null } },
    claims: (given) => [given.params.agent_id],
    run(_, { ledger, who }) {
      ledger.run({ type: 'agent.present', who });
      return { status: 204 };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/agents/{agent_id}',
    name: 'leave',
    summary: 'Leave: every lock and reservation of the agent is given back, and its waits end',
    caller: 'acts',
    params,
    answers: { 200: { about: 'Is not here', schema: Left } },
    claims: (given) => [given.params.agent_id],
    run: (_, desk) => ({ status: 200, body: leave(desk) }),
  }),
];

function self(desk: Desk): AgentRow {
  const found = agentsHere(desk).find((one) => one.agent_id === desk.who.id);
  if (found !== undefined) return found;
  throw new Refusal(503, 'GONE', `${desk.who.id} left meanwhile.`, { retry_after: 1 });
}
