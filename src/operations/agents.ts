/** Who is here, by id or by name. */
import { GuardError } from '../core/error.ts';
import { agentKey } from '../core/keys.ts';
import { listAgents } from '../core/rules/profile.ts';
import type { ListedAgent } from '../core/rules/profile.ts';
import { isShadow } from '../core/shadow.ts';
import { asAgentState } from '../core/states.ts';
import { consult } from '../store/transact.ts';
import { isHere } from './desk.ts';
import type { Desk } from './desk.ts';
import { label, optional, text, withDefault } from './field.ts';
import type { InputOf } from './field.ts';
import { operation } from './operation.ts';

export interface Agent extends Omit<ListedAgent, 'is_alive'> {
  readonly project: string;
}

const FILTER = {
  capability: withDefault(text('Any of these, by commas', { max_chars: 2_000 }), ''),
  project: { ...optional(label('A label: one ledger is one project')), is_hidden: true as const },
};

export const LIST_AGENTS = operation('list_agents', FILTER, agentsAskedFor);

/** The same for who acts here: whoever looks is here too, and can be written to. */
export const LOOK_ROUND = operation('list_agents', FILTER, (filter, desk) => {
  desk.ledger.run({ type: 'agent.present', who: desk.who });
  return agentsAskedFor(filter, desk);
});

export function agentsAskedFor({ capability, project }: InputOf<typeof FILTER>, desk: Desk): Agent[] {
  if (!isHere(desk, project)) return [];
  const wanted = capability
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return agentsHere(desk).filter(
    ({ capabilities }) => wanted.length === 0 || wanted.some((one) => capabilities.includes(one)),
  );
}

/** Those that are alive. */
export const agentsHere = (desk: Desk): Agent[] =>
  everybody(desk)
    .filter(({ is_alive }) => is_alive)
    .map(({ agent_id, name, capabilities, status, last_seen }) => ({
      agent_id,
      name,
      project: desk.project,
      capabilities,
      status,
      last_seen,
    }));

const everybody = ({ ledger }: Desk): ListedAgent[] => {
  const facts = ledger.facts();
  return consult(ledger.store, (view) => listAgents(view, facts));
};

function isKnown({ ledger }: Desk, id: string): boolean {
  const key = agentKey(id);
  return !isShadow(id) && asAgentState(ledger.store.look([key]).get(key)) !== undefined;
}

/** @throws GuardError GUARD_ERR_USAGE for somebody whom the ledger does not know */
export function agentCalled(desk: Desk, name: string): string {
  // Most are called by their id; for a name everybody's has to be known.
  if (isKnown(desk, name)) return name;
  const found = everybody(desk).find((one) => one.name === name);
  if (found !== undefined) return found.agent_id;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `No agent here is called ${JSON.stringify(name.slice(0, 80))}.`,
    'list_agents and "guard agents" say who is here.',
    { agent: name.slice(0, 200) },
  );
}
