/** Who of a deadlock could end it: an agent that is blocked in a call can obey nobody until that call has ended. */
import type { Draft } from '../states.ts';
import type { AgentId, Facts, GraphEdge } from '../types.ts';
import { letGo } from './letting-go.ts';

/**
 * The first of these that anybody in the cycle is: waits for a file and has something to give; awaits a drafted agent,
 * in a call that guard can end, and has something to give; waits for a file, so that it can go on without it; awaits.
 * @param waits every wait of those in the cycle
 */
export function mostAble(
  draft: Draft,
  cycle: readonly GraphEdge[],
  waits: readonly GraphEdge[],
  facts: Facts,
): AgentId[] {
  const free = cycle.filter(({ from, to }) => !isBlocked(draft, from, to, waits));
  const atFile = free.filter(({ because }) => because !== 'agent');
  const gives = ({ from }: GraphEdge): boolean => letGo(draft, from, cycle, waits, facts).release.length > 0;
  const ranks = [atFile.filter(gives), free.filter(gives), atFile, free, cycle];
  const best = ranks.find((rank) => rank.length > 0) ?? [];
  return [...new Set(best.map(({ from }) => from))];
}

/** By another call than the wait that would end: only the end of its subagents ends it, or of the agents it awaits. */
function isBlocked(draft: Draft, id: AgentId, to: AgentId, waits: readonly GraphEdge[]): boolean {
  const awaits = (draft.wait(id).awaits ?? []).map(({ agent }) => agent);
  return waits.some(
    (edge) => edge.from === id && edge.because === 'agent' && !(edge.to === to && awaits.includes(edge.to)),
  );
}
