/** Since when somebody has waited, or wanted what it was refused. */
import { waitKey } from './keys.ts';
import type { View } from './ledger.ts';
import { rfc3339 } from './rfc3339.ts';
import { asWaitState } from './states.ts';
import type { GraphEdge } from './types.ts';

/** `since` null: nobody wrote that down, as of one that waits for the end of another. */
type DatedEdge = GraphEdge & { readonly since: string | null };

export const dated = (view: View, edges: readonly GraphEdge[]): DatedEdge[] =>
  edges.map((edge) => {
    const found = asWaitState(view.get(waitKey(edge.from))).edges.find(({ path }) => path === edge.path);
    return { ...edge, since: found === undefined ? null : rfc3339(found.since_wall_ms) };
  });
