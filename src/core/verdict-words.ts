/** For people: which agent has to resolve a deadlock, and how. */
import { plain } from './plain.ts';
import type { Cycle } from './rules/wait-graph.ts';
import type { AgentId } from './types.ts';

/** `bob was told to release a.ts`; `null` without a verdict: then the deadlock is only possible. */
export function verdictOn(cycle: Cycle, nameOf: (id: AgentId) => string): string | null {
  const { victim, state, release = [], reservations = [], held_by } = cycle;
  if (victim === undefined) return null;
  const whose = held_by === undefined ? '' : `, which ${nameOf(held_by)} locked`;
  const what = release.length === 0 ? 'stop waiting' : `release ${release.map(plain).join(', ')}${whose}`;
  const wider = reservations.length === 0 ? '' : ` (reserved: ${reservations.map(plain).join(', ')})`;
  return `${nameOf(victim)} ${state === 'told' ? 'was told to' : 'must'} ${what}${wider}`;
}
