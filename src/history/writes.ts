/** Which agent wrote which file when, with the digests before and after. */
import { pathOfKey, PATHS } from '../core/keys.ts';
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import { asPathState } from '../core/states.ts';
import type { AgentId, Digest, RepoPath } from '../core/types.ts';
import type { At } from './span.ts';

export interface WriteSeen {
  readonly path: RepoPath;
  readonly agent: AgentId;
  readonly ms: number;
  readonly lsn: Lsn;
  /** From the previous write known to the ledger. `null` if there is none, or there was no file. */
  readonly before: Digest | null;
  readonly after: Digest | null;
}

export interface WriteLog {
  readonly writes: readonly WriteSeen[];
  take(record: Pick<LedgerRecord, 's'>, at: At): void;
}

/** Compaction records long-past writes again. */
const CARRIED = 'ledger.carry';

export function trackWrites(): WriteLog {
  const writes: WriteSeen[] = [];
  const last = new Map<RepoPath, { readonly lsn: Lsn; readonly digest: Digest | null }>();
  return {
    writes,
    take({ s }, { ms, lsn, type }) {
      for (const [key, state] of Object.entries(s)) {
        if (!key.startsWith(PATHS)) continue;
        const { last_write: now } = asPathState(state);
        const path = pathOfKey(key);
        const before = last.get(path);
        if (now === null || now.lsn === before?.lsn) continue;
        last.set(path, { lsn: now.lsn, digest: now.digest });
        if (type === CARRIED) continue;
        writes.push({ path, agent: now.agent, ms, lsn, before: before?.digest ?? null, after: now.digest });
      }
    },
  };
}
