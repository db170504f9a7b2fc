/**
 * Compaction drops the reservations of agents that it forgets, or forgot before, together with everything that leads to
 * them: the places where they begin, and the agent's place in the list that old guards read.
 */
import { isGone } from '../forget.ts';
import { agentOfKey, GLOBS, UNLISTED } from '../keys.ts';
import type { View } from '../ledger.ts';
import { changesOver } from '../states.ts';
import type { AgentId, Now } from '../types.ts';
import { heldBy } from './reserved.ts';
import { dropReserved } from './reserved-index.ts';
import type { Step } from './transaction.ts';

/** Agents whose reservations can be dropped. */
export const forgottenReservers = (view: View, now: Now): AgentId[] =>
  view
    .range(GLOBS)
    .map(([key]) => agentOfKey(key))
    .filter((id) => id !== '' && id !== UNLISTED && isOver(view, id, now));

/** Those of them whose reservations are still to be dropped. An agent that has just returned keeps what it has. */
export function forgetReserved(view: View, agents: readonly AgentId[], now: Now): Step<number> {
  const changes = changesOver(view);
  const over = agents.filter((id) => isOver(view, id, now));
  for (const id of over) dropReserved(changes, id);
  changes.record({ type: 'ledger.carry', agent: 'guard', ts_ms: now.wall_ms });
  return { records: changes.records, result: over.length };
}

/** A reservation of an agent without a state counts until its own time has passed. */
function isOver(view: View, id: AgentId, now: Now): boolean {
  if (!isGone(id, { now, see: (key) => view.get(key) })) return false;
  return heldBy(changesOver(view), id).every(
    ({ boot, until_mono_ms }) => boot !== now.boot || now.mono_ms >= until_mono_ms,
  );
}
