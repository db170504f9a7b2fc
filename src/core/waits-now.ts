/** Which agents wait for which at this moment. */
import { agentOfKey, WAITS } from './keys.ts';
import type { View } from './ledger.ts';
import { aliveIn } from './living.ts';
import { circlesNow } from './rules/circles-now.ts';
import { spawns } from './rules/children.ts';
import { type Cycle, edgesOf, type GraphEdge } from './rules/wait-graph.ts';
import { type Changes, changesOver } from './states.ts';
import type { AgentId, Facts } from './types.ts';

export interface WaitReport {
  readonly waits: readonly GraphEdge[];
  readonly cycles: readonly Cycle[];
}

/** The waits among agents, and the cycles in them. */
export function waitsNow(view: View, facts: Facts): WaitReport {
  const changes = changesOver(view);
  return waitsAmong(changes, aliveIn(view, changes, facts), facts);
}

export function waitsAmong(changes: Changes, alive: readonly AgentId[], facts: Facts): WaitReport {
  const blocked = alive.filter((id) => spawns(changes.agent(id), facts).length > 0);
  const waiting = [...new Set([...changes.view.range(WAITS).map(([key]) => agentOfKey(key)), ...blocked])];
  const waits = waiting.flatMap((id) => edgesOf(changes, id, facts));
  return { waits, cycles: circlesNow(changes, waiting, waits, facts) };
}
