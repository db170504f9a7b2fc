/**
 * The wait-for graph: agent -> path -> agent, and agent -> agent if one waits for the end of another, built from the
 * live waits, leases and calls of one moment, and its cycles. A cycle of waits is a deadlock. A cycle with an edge of
 * an agent that was refused and moved on (`wanted`) is only possible, and never held against an agent (design section
 * 7, promise P7).
 */
import { isAlive, isForsaken, isTicketLive } from '../alive.ts';
import { findCycles } from '../cycles.ts';
import { isShadow } from '../shadow.ts';
import { clashes } from '../modes.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, GraphEdge, Hold, RepoPath, WaitEdge } from '../types.ts';
import { edgesToAgents } from './children.ts';
import { isHolder, reservedOver, liveHolds, yields } from './lease.ts';
import type { Acting } from './transaction.ts';

export type { GraphEdge } from '../types.ts';

export interface Cycle {
  readonly kind: 'deadlock' | 'possible';
  /** For a deadlock. `told`: its victim's wait ended with it, and the others still wait. */
  readonly state?: 'open' | 'told';
  readonly edges: readonly GraphEdge[];
  /** The agent that was chosen to give way, and what it has to release. */
  readonly victim?: AgentId;
  readonly release?: readonly RepoPath[];
  /** Those of its reservations that cover the paths. */
  readonly reservations?: readonly string[];
  /** The holder, if it is the agent that the victim works for. */
  readonly held_by?: AgentId;
}

/** The edges of one agent that waits for or wants paths, or waits for the end of other agents. */
export function edgesOf(changes: Changes, agent: AgentId, facts: Facts): GraphEdge[] {
  if (!isAlive(changes, agent, facts)) return [];
  const toPaths = changes
    .wait(agent)
    .edges.filter((edge) => isEdgeLive(edge, facts) && hasWaiter(changes, agent, edge, facts))
    .flatMap((edge) => [
      ...toHolders(changes, agent, edge, facts),
      ...toTickets(changes, agent, edge, facts),
    ]);
  return [...toPaths, ...edgesToAgents(changes, agent, facts)];
}

export const isEdgeLive = (edge: WaitEdge, facts: Facts): boolean =>
  edge.boot === facts.now.boot && facts.now.mono_ms < edge.until_mono_ms;

/** A wait ends with its process, which its ticket names. */
export function hasWaiter(changes: Changes, agent: AgentId, { kind, path }: WaitEdge, facts: Facts): boolean {
  const own = kind === 'wait' && changes.path(path).queue.find((ticket) => ticket.agent === agent);
  return !own || !isForsaken(own, facts);
}

function toHolders(changes: Changes, agent: AgentId, edge: WaitEdge, facts: Facts): GraphEdge[] {
  const waiter = changes.agent(agent);
  const isGiven = (hold: Hold): boolean =>
    waiter !== undefined && givesWay({ changes, agent: waiter, facts }, edge.path, hold);
  const holders = liveHolds(changes, edge.path, facts)
    .filter((hold) => clashes(hold.mode, edge.mode) && !isGiven(hold))
    .map((hold) => changes.agent(hold.agent)?.same_as ?? hold.agent);
  const parent = waiter?.parent;
  const reserved = reservedOver(changes, edge.path, facts)
    .filter((one) => clashes(one.mode, edge.mode) && one.agent !== parent)
    .map((one) => one.agent);
  return [...new Set([...holders, ...reserved])]
    .filter((to) => to !== agent)
    .map((to) => ({ from: agent, to, path: edge.path, kind: edge.kind, because: 'hold' as const }));
}

/**
 * A lease that the waiter will get at its next look: an idle one, or its parent's, at the latest when the parent's
 * write has ended. A foreign server gives up nothing.
 */
const givesWay = (waiting: Acting, path: RepoPath, hold: Hold): boolean =>
  !isShadow(path) && (waiting.agent.parent === hold.agent || yields(waiting, path, hold));

/** A holder does not queue for more of its path. A promise ends on its own, whatever its agent waits for. */
function toTickets(changes: Changes, agent: AgentId, edge: WaitEdge, facts: Facts): GraphEdge[] {
  if (edge.kind !== 'wait') return [];
  const live = changes.path(edge.path).queue.filter((ticket) => isTicketLive(changes, ticket, facts));
  const own = live.find((ticket) => ticket.agent === agent);
  if (own === undefined || isHolder(changes, edge.path, agent, facts)) return [];
  return live
    .filter((ticket) => ticket.agent !== agent && ticket.promised !== true && ticket.ticket < own.ticket)
    .filter((ticket) => clashes(ticket.mode, edge.mode))
    .map((ticket) => ({
      from: agent,
      to: ticket.agent,
      path: edge.path,
      kind: edge.kind,
      because: 'ticket' as const,
    }));
}

/**
 * Deadlocks first, then possible cycles; a component with a deadlock is not reported twice.
 * @param told cycles whose victim no longer waits
 */
export function cyclesOf(edges: readonly GraphEdge[], told: readonly Cycle[] = []): Cycle[] {
  const deadlocks = findCycles(edges.filter((edge) => edge.kind === 'wait'));
  const dead = new Set([...deadlocks, ...told.map((cycle) => cycle.edges)].flat().map((edge) => edge.from));
  const possible = findCycles(edges.filter((edge) => !dead.has(edge.from) && !dead.has(edge.to)));
  return [
    ...deadlocks.map((cycle) => ({ kind: 'deadlock' as const, state: 'open' as const, edges: cycle })),
    ...told,
    ...possible.map((cycle) => ({ kind: 'possible' as const, edges: cycle })),
  ];
}
