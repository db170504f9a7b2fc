/** Which agents in a deadlock can resolve it: one that is blocked in a call cannot act until that call has ended. */
import type { AgentId, GraphEdge } from '../types.ts';
import { releaseVictim } from './victim-release.ts';
import type { Seeing } from './transaction.ts';

/**
 * The agents of the first group that is not empty: those that wait for a file and have something to give; those that
 * await a drafted agent, in a call that guard can end, and have something to give; those that wait for a file and could
 * continue without it; those that await.
 * @param waits every wait of the agents in the cycle
 */
export function mostAble(
  seeing: Seeing,
  cycle: readonly GraphEdge[],
  waits: readonly GraphEdge[],
): AgentId[] {
  const awaited = (id: AgentId): AgentId[] =>
    (seeing.changes.wait(id).awaits ?? []).map(({ agent }) => agent);
  // Guard can end the call that awaits a drafted agent, but not a call of the Agent tool.
  const mayEnd = cycle.filter(({ from }) => waitsFor(from, waits).every((id) => awaited(from).includes(id)));
  const free = mayEnd.filter((edge) =>
    waitsFor(edge.from, waits).every((id) => edge.because === 'agent' && id === edge.to),
  );
  const atFile = free.filter(({ because }) => because !== 'agent');
  const gives = ({ from }: GraphEdge): boolean =>
    releaseVictim(seeing, from, cycle, waits).release.length > 0;
  const ranks = [atFile.filter(gives), free.filter(gives), atFile, free, mayEnd, cycle];
  const best = ranks.find((rank) => rank.length > 0) ?? [];
  return [...new Set(best.map(({ from }) => from))];
}

/** The agents whose end would end a call of this agent. */
const waitsFor = (id: AgentId, waits: readonly GraphEdge[]): AgentId[] =>
  waits.filter(({ from, because }) => from === id && because === 'agent').map(({ to }) => to);
