/** Denied writes: which agent, why, and which contents differed. */
import { asList, asObject, asText } from '../core/json-object.ts';
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import type { DenialNow } from '../core/needs/need.ts';
import { RECENT_DENIALS } from '../core/needs/recent.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { AgentId, Digest, RepoPath } from '../core/types.ts';
import type { At } from './span.ts';

export interface DenialSeen {
  readonly lsn: Lsn;
  readonly ms: number;
  readonly agent: AgentId;
  readonly tool: string;
  readonly paths: readonly RepoPath[];
  readonly error_type: string;
  readonly message: string;
  readonly hint: string;
  /** What the agent had last seen of the file. `null` if nothing, or if the denial was for another reason. */
  readonly seen: Digest | null;
  /** What was on disk instead. */
  readonly found: Digest | null;
}

export interface DenialLog {
  /** The newest ones, up to a limit; oldest first. */
  readonly denials: readonly DenialSeen[];
  take(record: LedgerRecord, at: At): void;
}

interface MomentAt {
  readonly lsn: Lsn;
  readonly at_ms: number;
}

const MOST = 20_000;
const PATHS_MOST = 50;
const TEXT_CHARS = 600;

export function trackDenials(): DenialLog {
  const denials: DenialSeen[] = [];
  return {
    denials,
    take({ type, agent, tool, paths, denial }, { lsn, ms }) {
      if (type !== 'write.rejected') return;
      const { error_type, message, recovery_hint, details } = asObject(denial);
      const { baseline_hash, current_disk_hash } = asObject(details);
      if (denials.length >= MOST) denials.splice(0, MOST / 10);
      denials.push({
        ...{ lsn, ms, agent, tool: asText(tool) },
        paths: asList(paths).map(asText).slice(0, PATHS_MOST),
        error_type: asText(error_type),
        message: asText(message).slice(0, TEXT_CHARS),
        hint: asText(recovery_hint).slice(0, TEXT_CHARS),
        ...{ seen: digestOr(baseline_hash), found: digestOr(current_disk_hash) },
      });
    },
  };
}

/** Those that needed attention at that moment, newest first. */
export function recentAt(denials: readonly DenialSeen[], { lsn, at_ms }: MomentAt): DenialNow[] {
  const found: DenialNow[] = [];
  for (let nth = denials.length - 1; nth >= 0 && found.length < RECENT_DENIALS.most; nth--) {
    const one = denials[nth];
    if (one === undefined || one.ms < at_ms - RECENT_DENIALS.ms) break;
    const { ms, agent, tool, paths, error_type, message } = one;
    if (one.lsn <= lsn)
      found.push({ at: rfc3339(ms), lsn: one.lsn, agent, tool, paths, error_type, message });
  }
  return found;
}

const digestOr = (value: unknown): Digest | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;
