// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The cycles of one moment, for people and programs: which agent was chosen to give way, and whether it knows. */
import { isAlive } from '../alive.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, GraphEdge } from '../types.ts';
import { standing } from './deadlock.ts';
import { onlyLetGo } from './victim-release.ts';
import { type Cycle, cyclesOf } from './wait-graph.ts';

/** @param waiting every agent that has an edge in `edges`, or a verdict */
export function circlesNow(
  changes: Changes,
  waiting: readonly AgentId[],
  edges: readonly GraphEdge[],
  facts: Facts,
): Cycle[] {
  const told = waiting
    .filter((id) => isAlive(changes, id, facts))
    .flatMap((id) => toldTo(changes, id, edges, facts));
  return cyclesOf(edges, told).map((cycle) =>
    cycle.victim === undefined ? withVictim(changes, cycle) : cycle,
  );
}

/** The victim was notified and does something else; for the others nothing has changed. */
function toldTo(changes: Changes, victim: AgentId, edges: readonly GraphEdge[], facts: Facts): Cycle[] {
  const waits = edges.filter(({ kind }) => kind === 'wait');
  return standing(changes, victim, waits, facts)
    .filter(({ is_repeated, cycle }) => is_repeated === true && !isClosed(cycle, waits))
    .map(({ cycle, ...dead }) => ({
      kind: 'deadlock',
      state: 'told',
      edges: cycle.map((edge) => (edge.from === victim ? wantedNow(edge, edges) : edge)),
      victim,
      ...onlyLetGo(dead),
    }));
}

const isSame = (a: GraphEdge, b: GraphEdge): boolean =>
  a.from === b.from && a.to === b.to && a.path === b.path;

/** Its victim waits again. */
const isClosed = (cycle: readonly GraphEdge[], waits: readonly GraphEdge[]): boolean =>
  cycle.every((edge) => waits.some((other) => isSame(edge, other)));

const wantedNow = (edge: GraphEdge, edges: readonly GraphEdge[]): GraphEdge =>
  edges.find((other) => isSame(edge, other)) ?? { ...edge, kind: 'wanted' };

/** The agent in a cycle that was chosen to release something in it. */
function withVictim(changes: Changes, cycle: Cycle): Cycle {
  for (const { from } of cycle.edges) {
    const verdict = (changes.wait(from).verdicts ?? []).find(({ cycle: found }) =>
      cycle.edges.every((edge) => found.some((one) => one.from === edge.from && one.to === edge.to)),
    );
    if (verdict !== undefined) return { ...cycle, victim: from, ...onlyLetGo(verdict) };
  }
  return cycle;
}
