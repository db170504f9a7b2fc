/** Adds to each edge when the agent began to wait, or was refused what it wanted. */
import { waitKey } from './keys.ts';
import type { View } from './ledger.ts';
import { rfc3339 } from './rfc3339.ts';
import { asWaitState } from './states.ts';
import type { GraphEdge } from './types.ts';

/** `since` is `null` if no time was recorded, as when an agent waits for another agent's end. */
type DatedEdge = GraphEdge & { readonly since: string | null };

export const dated = (view: View, edges: readonly GraphEdge[]): DatedEdge[] =>
  edges.map((edge) => {
    const found = asWaitState(view.get(waitKey(edge.from))).edges.find(({ path }) => path === edge.path);
    return { ...edge, since: found === undefined ? null : rfc3339(found.since_wall_ms) };
  });
