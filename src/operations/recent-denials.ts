/** Recently denied writes, from the end of the ledger. */
import { asList, asObject, asText } from '../core/json-object.ts';
import type { DenialNow } from '../core/needs/need.ts';
import { RECENT_DENIALS } from '../core/needs/recent.ts';
import type { Store } from '../store/store.ts';
import { scanSince } from '../store/upkeep.ts';

/** In a fast-growing ledger, the last ten minutes of records would take too long to read. */
const LOOK_BYTES = 256 * 1024;

/** Newest first. */
export function recentDenials(store: Store, state_dir: string, wall_ms: number): DenialNow[] {
  const from = Math.max(0, store.tip() - LOOK_BYTES);
  const records = store.supports.shared ? store.scan(from) : scanSince(state_dir, { lsn: from });
  const found: DenialNow[] = [];
  for (const { type, ts, lsn, agent, tool, paths, denial } of records) {
    if (type !== 'write.rejected' || Date.parse(ts) < wall_ms - RECENT_DENIALS.ms) continue;
    const { error_type, message } = asObject(denial);
    found.push({
      ...{ at: ts, lsn, agent, tool: asText(tool), paths: asList(paths).map(asText) },
      ...{ error_type: asText(error_type), message: asText(message) },
    });
  }
  return found.reverse().slice(0, RECENT_DENIALS.most);
}
