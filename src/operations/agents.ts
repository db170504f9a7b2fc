/** The agents here, by id or by name. */
import { GuardError } from '../core/error.ts';
import { agentKey } from '../core/keys.ts';
import { listAgents, type ListedAgent } from '../core/rules/profile.ts';
import { isShadow } from '../core/shadow.ts';
import { asAgentState } from '../core/states.ts';
import { consult } from '../store/transact.ts';
import { isHere, ofProject, projectOf } from './project.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type InputOf, text, withDefault } from './field.ts';
import { operation } from './operation.ts';

export interface Agent extends Omit<ListedAgent, 'is_alive'> {
  readonly project: string;
}

const FILTER = {
  capability: withDefault(text('Any of these, by commas', { max_chars: 2_000 }), ''),
  ...ofProject,
};

export const LIST_AGENTS = operation('list_agents', FILTER, agentsAskedFor);

/** The same for an acting agent: it counts as here too, and can be written to. */
export const LOOK_ROUND = operation('list_agents', FILTER, (filter, space) => {
  space.run({ type: 'agent.present', who: space.who });
  return agentsAskedFor(filter, space);
});

export function agentsAskedFor({ capability, project }: InputOf<typeof FILTER>, space: Workspace): Agent[] {
  if (!isHere(space, project)) return [];
  const wanted = capability
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return agentsHere(space).filter(
    ({ capabilities }) => wanted.length === 0 || wanted.some((one) => capabilities.includes(one)),
  );
}

/** The live agents. */
export function agentsHere(space: Workspace): Agent[] {
  const project = projectOf(space);
  return everybody(space)
    .filter(({ is_alive }) => is_alive)
    .map(({ agent_id, name, capabilities, status, last_seen }) => ({
      agent_id,
      name,
      project,
      capabilities,
      status,
      last_seen,
    }));
}

const everybody = (space: Workspace): ListedAgent[] => {
  const facts = space.facts();
  return consult(space.store, (view) => listAgents(view, facts));
};

function isKnown({ store }: Workspace, id: string): boolean {
  const key = agentKey(id);
  return !isShadow(id) && asAgentState(store.look([key]).get(key)) !== undefined;
}

/** @throws GuardError GUARD_ERR_USAGE for an agent that the ledger does not know */
export function agentCalled(space: Workspace, name: string): string {
  // Most callers give an id; only a name requires reading all agents.
  if (isKnown(space, name)) return name;
  const found = everybody(space).find((one) => one.name === name);
  if (found !== undefined) return found.agent_id;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `No agent here is called ${JSON.stringify(name.slice(0, 80))}.`,
    'Use list_agents or "guard agents" to see who is here.',
    { agent: name.slice(0, 200) },
  );
}
