/** People who used guard at a terminal, and have nothing here: pressing a key on the screen does not make them an agent on it. */
import { nameFor } from '../../core/names.ts';
import type { Status } from '../../operations/status.ts';

export function withoutPassersBy(told: Status): Status {
  const { agents, leases, reservations, waits, commands } = told;
  const engaged = new Set([
    ...leases.map(({ holder }) => holder),
    ...reservations.map(({ agent_id }) => agent_id),
    ...waits.flatMap(({ from, to }) => [from, to]),
    ...commands.map(({ agent }) => agent),
  ]);
  const isNamed = (id: string, name: string): boolean => name.replace(/-\d+$/, '') !== nameFor(id);
  return {
    ...told,
    agents: agents.filter(
      ({ agent, name, kind }) => kind !== 'person' || engaged.has(agent) || isNamed(agent, name),
    ),
  };
}
