/**
 * The wait-for graph: agent -> path -> agent, from the live waits and leases of one moment, and its cycles.
 * A cycle of waits is a deadlock; one that needs an edge of an agent that was refused and moved on
 * (`wanted`) is possible, and never anybody's fault (design section 7, promise P7).
 */
import { isAlive, isTicketLive } from '../alive.ts';
import { findCycles } from '../cycles.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, Mode, RepoPath, WaitEdge } from '../types.ts';
import { liveHolds } from './lease.ts';

export interface GraphEdge {
  /** Who waits. */
  readonly from: AgentId;
  /** Whom for: holds the path, or stands before it in the queue. */
  readonly to: AgentId;
  readonly path: RepoPath;
  readonly kind: 'wait' | 'wanted';
  readonly because: 'hold' | 'ticket';
}

export interface Cycle {
  readonly kind: 'deadlock' | 'possible';
  readonly edges: readonly GraphEdge[];
}

const clashes = (a: Mode, b: Mode): boolean => a === 'exclusive' || b === 'exclusive';

/** Edges of one agent that waits for or wants paths. */
export function edgesOf(draft: Draft, agent: AgentId, facts: Facts): GraphEdge[] {
  if (!isAlive(draft, agent, facts)) return [];
  return draft
    .wait(agent)
    .edges.filter((edge) => isEdgeLive(edge, facts))
    .flatMap((edge) => [...toHolders(draft, agent, edge, facts), ...toTickets(draft, agent, edge, facts)]);
}

export const isEdgeLive = (edge: WaitEdge, facts: Facts): boolean =>
  edge.boot === facts.now.boot && facts.now.mono_ms < edge.until_mono_ms;

function toHolders(draft: Draft, agent: AgentId, edge: WaitEdge, facts: Facts): GraphEdge[] {
  return liveHolds(draft, edge.path, facts)
    .filter((hold) => hold.agent !== agent && clashes(hold.mode, edge.mode))
    .map((hold) => ({
      from: agent,
      to: hold.agent,
      path: edge.path,
      kind: edge.kind,
      because: 'hold' as const,
    }));
}

function toTickets(draft: Draft, agent: AgentId, edge: WaitEdge, facts: Facts): GraphEdge[] {
  if (edge.kind !== 'wait') return [];
  const live = draft.path(edge.path).queue.filter((ticket) => isTicketLive(draft, ticket, facts));
  const own = live.find((ticket) => ticket.agent === agent);
  return live
    .filter((ticket) => ticket.agent !== agent && own !== undefined && ticket.ticket < own.ticket)
    .filter((ticket) => clashes(ticket.mode, edge.mode))
    .map((ticket) => ({
      from: agent,
      to: ticket.agent,
      path: edge.path,
      kind: edge.kind,
      because: 'ticket' as const,
    }));
}

/** Deadlocks first, then what is only possible; a component with a deadlock is not reported a second time. */
export function cyclesOf(edges: readonly GraphEdge[]): Cycle[] {
  const deadlocks = findCycles(edges.filter((edge) => edge.kind === 'wait'));
  const dead = new Set(deadlocks.flat().map((edge) => edge.from));
  const possible = findCycles(edges.filter((edge) => !dead.has(edge.from) && !dead.has(edge.to)));
  return [
    ...deadlocks.map((cycle) => ({ kind: 'deadlock' as const, edges: cycle })),
    ...possible.map((cycle) => ({ kind: 'possible' as const, edges: cycle })),
  ];
}
