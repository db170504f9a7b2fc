// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether the records of a rule are covered by cached leases. */
import { agentKey, PATHS, pathOfKey } from '../core/keys.ts';
import type { Json, Key, RecordBody } from '../core/ledger.ts';
import { asPathState } from '../core/states.ts';
import type { RepoPath } from '../core/types.ts';
import { fill } from '../store/placeholder.ts';
import type { KeptLeases } from './kept-leases.ts';

export const filled = (records: readonly RecordBody[], lsn: number): readonly (readonly [Key, Json])[] =>
  records.flatMap(({ s }) => Object.entries(fill(s, lsn)));

/**
 * Tokens of the leases under which a write begins; null if there are other records, or a lease has less left than its
 * margin or `near_ms`: a person may be asked before the write, and then it lands later than it was approved.
 */
export function tokensIn(
  records: readonly RecordBody[],
  kept: KeptLeases,
  near_ms: number,
): Readonly<Record<RepoPath, number>> | null {
  const [one, ...others] = records;
  if (one?.type !== 'intent' || others.length > 0) return null;
  const leases = kept
    .leases()
    .filter(
      ({ holder, left_ms, margin_ms }) => holder === one.agent && left_ms > Math.max(near_ms, margin_ms),
    );
  const tokens: Record<RepoPath, number> = {};
  for (const [key, state] of Object.entries(one.s)) {
    if (key === agentKey(one.agent)) continue;
    if (!key.startsWith(PATHS)) return null;
    const at = kept.leaseKeyOf(key);
    const lease = leases.find(({ path }) => path === pathOfKey(at));
    const { holds } = asPathState(at === key ? state : kept.statesOf([at])?.get(at)?.state);
    if (
      lease === undefined ||
      !holds.some(({ agent, token }) => agent === lease.holder && token === lease.token)
    )
      return null;
    tokens[lease.path] = lease.token;
  }
  return tokens;
}
