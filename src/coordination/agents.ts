/** Who is here, by id or by name. */
import { GuardError } from '../core/error.ts';
import { agentKey } from '../core/keys.ts';
import { listAgents } from '../core/rules/profile.ts';
import type { ListedAgent } from '../core/rules/profile.ts';
import { isShadow } from '../core/shadow.ts';
import { asAgentState } from '../core/states.ts';
import { isHere } from './desk.ts';
import type { Desk } from './desk.ts';
import { consult } from '../store/transact.ts';

export interface Agent extends Omit<ListedAgent, 'is_alive'> {
  readonly project: string;
}

/** Those that are alive. `capability`: one or several, separated by commas; any of them is enough. */
export function agentsHere(
  desk: Desk,
  filter: { capability?: string | undefined; project?: string | undefined } = {},
): Agent[] {
  if (!isHere(desk, filter.project)) return [];
  const wanted = (filter.capability ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return everybody(desk)
    .filter(({ is_alive }) => is_alive)
    .filter(({ capabilities }) => wanted.length === 0 || wanted.some((one) => capabilities.includes(one)))
    .map(({ agent_id, name, capabilities, status, last_seen }) => ({
      agent_id,
      name,
      project: desk.project,
      capabilities,
      status,
      last_seen,
    }));
}

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
