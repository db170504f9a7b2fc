/** Adds to each edge when the agent began to wait, or was refused what it wanted. */
import { pathKey, waitKey } from './keys.ts';
import type { Lsn, View } from './ledger.ts';
import { rfc3339 } from './rfc3339.ts';
import { asPathState, asWaitState } from './states.ts';
import type { GraphEdge, Ticket, WaitEdge } from './types.ts';

interface Begun {
  /** `null` if no time was recorded, as when an agent waits for another agent's end. */
  readonly since: string | null;
  /** The record with which the wait began; `null` if the agent is not in a queue. */
  readonly lsn: Lsn | null;
}

export const dated = (view: View, edges: readonly GraphEdge[]): (GraphEdge & Begun)[] =>
  edges.map((edge) => ({ ...edge, ...begun(view, edge) }));

function begun(view: View, { from, path }: GraphEdge): Begun {
  const edge = asWaitState(view.get(waitKey(from))).edges.find((one) => one.path === path);
  if (edge === undefined) return { since: null, lsn: null };
  const ticket = edge.kind === 'wait' ? ticketOf(view, from, edge) : undefined;
  return { since: rfc3339(begunMs(edge, ticket)), lsn: ticket?.ticket ?? null };
}

/** A waiter renews its edge every few seconds; its place in the queue keeps the time when it began to wait. */
const ticketOf = (view: View, from: GraphEdge['from'], { path, boot }: WaitEdge): Ticket | undefined =>
  asPathState(view.get(pathKey(path))).queue.find((one) => one.agent === from && one.boot === boot);

const begunMs = ({ since_wall_ms, since_mono_ms }: WaitEdge, ticket: Ticket | undefined): number =>
  since_wall_ms - Math.max(0, since_mono_ms - (ticket?.since_mono_ms ?? since_mono_ms));
