/**
 * Queues without cycles. If a cycle depends on places in queues, no agent has to release anything: agents that others
 * wait for because of what they hold go first, in every queue alike. Then all waits lead from a later agent of one
 * order to an earlier one, so no cycle remains.
 */
import type { Changes } from '../states.ts';
import type { AgentId, Facts, GraphEdge, RepoPath, Ticket } from '../types.ts';
import { record } from './transaction.ts';

/** @param held edges to holders among `members`, without a cycle */
export function settleQueues(
  changes: Changes,
  members: readonly AgentId[],
  held: readonly GraphEdge[],
  facts: Facts,
): void {
  const paths = [...new Set(members.flatMap((id) => changes.wait(id).edges.map(({ path }) => path)))];
  const order = orderOf(members, held, (id) => firstTicket(changes, id, paths));
  const rank = (ticket: Ticket): number => order.indexOf(ticket.agent);
  for (const path of paths) reorder(changes, path, rank, facts);
}

function firstTicket(changes: Changes, id: AgentId, paths: readonly RepoPath[]): number {
  const own = paths.flatMap((path) => changes.path(path).queue.filter(({ agent }) => agent === id));
  return Math.min(...own.map(({ ticket }) => ticket));
}

/** An agent that waits for none of the remaining ones comes next, earliest first. */
function orderOf(
  members: readonly AgentId[],
  held: readonly GraphEdge[],
  since: (id: AgentId) => number,
): AgentId[] {
  const left = new Set([...members].sort((a, b) => since(a) - since(b) || (a < b ? -1 : 1)));
  const order: AgentId[] = [];
  while (left.size > 0) {
    const isReady = (id: AgentId): boolean => !held.some(({ from, to }) => from === id && left.has(to));
    const next = [...left].find(isReady) ?? [...left][0];
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
  }
  return order;
}

function reorder(changes: Changes, path: RepoPath, rank: (ticket: Ticket) => number, facts: Facts): void {
  const state = changes.path(path);
  const before = [...state.queue].sort((a, b) => a.ticket - b.ticket);
  const known = before.filter((ticket) => rank(ticket) >= 0);
  const sorted = [...known].sort((a, b) => rank(a) - rank(b));
  const moved = sorted.findIndex((ticket, n) => ticket !== known[n]);
  if (moved === -1) return;
  const places = known.map(({ ticket }) => ticket);
  const after = sorted.map((ticket, n) => ({ ...ticket, ticket: places[n] ?? ticket.ticket }));
  const others = before.filter((ticket) => rank(ticket) < 0);
  changes.setPath(path, { ...state, queue: [...others, ...after] });
  const agent = { id: sorted[moved]?.agent ?? '' };
  record({ changes, agent, facts }, 'wait', {
    path,
    kind: 'wait',
    holders: state.holds.map(({ agent }) => agent),
    passes: known[moved]?.agent ?? '',
  });
}
