/** Recently denied writes, from the end of the ledger. */
import { asList, asObject, asText } from '../core/json-object.ts';
import type { AgentId, RepoPath } from '../core/types.ts';
import type { Store } from '../store/store.ts';
import { scanSince } from '../store/upkeep.ts';

interface RecentDenial {
  readonly at: string;
  readonly agent: AgentId;
  readonly tool: string;
  readonly paths: readonly RepoPath[];
  readonly error_type: string;
  readonly message: string;
}

const RECENT_MS = 10 * 60_000;
/** In a fast-growing ledger, ten minutes of records would take too long to read. */
const LOOK_BYTES = 256 * 1024;
const MOST = 50;

/** Newest first. */
export function recentDenials(store: Store, state_dir: string, wall_ms: number): RecentDenial[] {
  const lsn = Math.max(0, store.tip() - LOOK_BYTES);
  const records = store.supports.shared ? store.scan(lsn) : scanSince(state_dir, { lsn });
  const found: RecentDenial[] = [];
  for (const { type, ts, agent, tool, paths, denial } of records) {
    if (type !== 'write.rejected' || Date.parse(ts) < wall_ms - RECENT_MS) continue;
    const { error_type, message } = asObject(denial);
    found.push({
      ...{ at: ts, agent, tool: asText(tool), paths: asList(paths).map(asText) },
      ...{ error_type: asText(error_type), message: asText(message) },
    });
  }
  return found.reverse().slice(0, MOST);
}
