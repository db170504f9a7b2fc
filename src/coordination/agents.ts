/** Who is here, by id or by name. */
import { GuardError } from '../core/error.ts';
import { listAgents } from '../core/rules/profile.ts';
import type { ListedAgent } from '../core/rules/profile.ts';
import { isHere } from './desk.ts';
import type { Desk } from './desk.ts';

export interface Agent extends Omit<ListedAgent, 'is_alive'> {
  readonly project: string;
}

/** Those that are alive. `capability`: one or several, separated by commas; any of them is enough. */
export function agentsHere(desk: Desk, filter: { capability?: string; project?: string } = {}): Agent[] {
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
  return ledger.store.lookSync((view) => listAgents(view, facts));
};

/** @throws GuardError GUARD_ERR_USAGE for somebody whom the ledger does not know */
export function agentCalled(desk: Desk, name: string): string {
  const agents = everybody(desk);
  const found = agents.find((one) => one.agent_id === name) ?? agents.find((one) => one.name === name);
  if (found !== undefined) return found.agent_id;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `No agent here is called ${JSON.stringify(name.slice(0, 80))}.`,
    'list_agents and "guard agents" say who is here.',
    { agent: name.slice(0, 200) },
  );
}
