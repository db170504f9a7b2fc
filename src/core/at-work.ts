/** The agents at work in a ledger, according to its status. Pure. */
import type { StatusReport } from './report.ts';
import type { AgentId, Facts } from './types.ts';

/** A person does not count as at work. */
export const atTheirWork = (
  { agents }: Pick<StatusReport, 'agents'>,
  { policy }: Facts,
): readonly AgentId[] =>
  agents
    .filter(({ kind }) => kind !== 'person')
    .filter(({ pid, last_active_seconds }) => pid !== null || last_active_seconds * 1_000 < policy.ttl_ms)
    .map(({ agent }) => agent);

/** Agents at work, and all holders of leases or reservations. */
export function busyIn(status: StatusReport, facts: Facts): readonly AgentId[] {
  const { leases, reservations } = status;
  const holders = [...leases.map(({ holder }) => holder), ...reservations.map(({ agent_id }) => agent_id)];
  return [...new Set([...atTheirWork(status, facts), ...holders])];
}
