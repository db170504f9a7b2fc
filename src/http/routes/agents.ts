/** Who is here: joining, describing oneself, heartbeats, leaving. */
import * as z from 'zod';
import { LIST_AGENTS } from '../../operations/agents.ts';
import { text, withDefault } from '../../operations/field.ts';
import { HEARTBEAT, LEAVE, REGISTER } from '../../operations/membership.ts';
import { agentId, claimed, project } from '../fields.ts';
import { sameProject } from '../project.ts';
import { type HttpRoute, route } from '../route.ts';
import { AgentSchema, Left } from '../shapes.ts';

const params = { agent_id: agentId };

/** The parameter may be repeated instead. */
const capability = withDefault(
  text('One or several, separated by commas: any of them', { max_chars: 2_000 }),
  '',
);
const oneOrSeveral: typeof capability = {
  ...capability,
  read: (given) => capability.read(Array.isArray(given) ? given.join(',') : given),
};

export const AGENT_ROUTES: readonly HttpRoute[] = [
  route({
    method: 'GET',
    path: '/api/agents',
    name: 'listAgents',
    summary: 'Active agents',
    caller: 'anybody',
    query: { project, capability: oneOrSeveral },
    answer: { about: 'In the order of joining', schema: z.object({ agents: z.array(AgentSchema) }) },
    run: async ({ query }, space, around) => ({ agents: await LIST_AGENTS.run(query, space, around) }),
  }),
  route({
    method: 'POST',
    path: '/api/agents',
    name: 'registerAgent',
    summary: 'Register the agent, or change its description',
    caller: 'acts',
    body_name: 'NewAgent',
    body: { id: claimed, agent_id: claimed, project, ...REGISTER.fields },
    answer: { status: 201, about: 'Registered', schema: AgentSchema },
    refusals: { 409: 'Another agent has that name' },
    claims: ({ body }) => [body.id, body.agent_id],
    run({ body: { name, capabilities, status, project: named } }, space, around) {
      sameProject(space, named);
      return REGISTER.run({ name, capabilities, status }, space, around);
    },
  }),
  route({
    method: 'POST',
    path: '/api/agents/{agent_id}/heartbeat',
    name: 'heartbeat',
    summary: 'A sign of life: keeps the agent from being idle, and its locks from expiring',
    caller: 'acts',
    params,
    body: {},
    answer: { status: 204, about: 'Heard', schema: null },
    claims: (given) => [given.params.agent_id],
    run: (_, space, around) => HEARTBEAT.run({}, space, around),
  }),
  route({
    method: 'DELETE',
    path: '/api/agents/{agent_id}',
    name: 'leave',
    summary: 'Leave: every lock and reservation of the agent is released, and its waits end',
    caller: 'acts',
    params,
    answer: { about: 'No longer registered', schema: Left },
    claims: (given) => [given.params.agent_id],
    run: (_, space, around) => LEAVE.run({}, space, around),
  }),
];
