/** Who of a deadlock could end it: an agent that is blocked in a call can obey nobody until that call has ended. */
import type { AgentId, GraphEdge } from '../types.ts';
import { releaseVictim } from './victim-release.ts';
import type { Seeing } from './transaction.ts';

/**
 * The first of these that anybody in the cycle is: waits for a file and has something to give; awaits a drafted agent,
 * in a call that guard can end, and has something to give; waits for a file, so that it can go on without it; awaits.
 * @param waits every wait of those in the cycle
 */
export function mostAble(
  seeing: Seeing,
  cycle: readonly GraphEdge[],
  waits: readonly GraphEdge[],
): AgentId[] {
  const awaited = (id: AgentId): AgentId[] =>
    (seeing.changes.wait(id).awaits ?? []).map(({ agent }) => agent);
  // Guard ends the call in which a drafted agent is awaited; the Agent tool nobody can end.
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

/** Whose end ends a call of this agent. */
const waitsFor = (id: AgentId, waits: readonly GraphEdge[]): AgentId[] =>
  waits.filter(({ from, because }) => from === id && because === 'agent').map(({ to }) => to);
