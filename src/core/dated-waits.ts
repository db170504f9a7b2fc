/** Adds to each edge when the agent began to wait, or was refused what it wanted. */
import { pathKey, waitKey } from './keys.ts';
import type { View } from './ledger.ts';
import { rfc3339 } from './rfc3339.ts';
import { asPathState, asWaitState } from './states.ts';
import type { GraphEdge, WaitEdge } from './types.ts';

/** `since` is `null` if no time was recorded, as when an agent waits for another agent's end. */
type DatedEdge = GraphEdge & { readonly since: string | null };

export const dated = (view: View, edges: readonly GraphEdge[]): DatedEdge[] =>
  edges.map((edge) => {
    const found = asWaitState(view.get(waitKey(edge.from))).edges.find(({ path }) => path === edge.path);
    return { ...edge, since: found === undefined ? null : rfc3339(begunMs(view, edge, found)) };
  });

/** A waiter renews its edge every few seconds; its place in the queue keeps the time when it began to wait. */
function begunMs(
  view: View,
  { from }: GraphEdge,
  { path, kind, since_wall_ms, since_mono_ms, boot }: WaitEdge,
) {
  if (kind !== 'wait') return since_wall_ms;
  const own = asPathState(view.get(pathKey(path))).queue.find(
    (ticket) => ticket.agent === from && ticket.boot === boot,
  );
  return since_wall_ms - Math.max(0, since_mono_ms - (own?.since_mono_ms ?? since_mono_ms));
}
