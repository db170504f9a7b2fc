/**
 * The Optimistic Locking Guard's comparison (its FR-003 to FR-006), and what applies between turns: content that
 * another author changed since the agent last saw it must be read before it is written.
 */
import type { Objection } from '../denial.ts';
import { authorName } from '../drift.ts';
import type { Gone } from '../gone.ts';
import { type StaleFacts, staleFile, unreadFile } from '../messages.ts';
import type { ShownFile } from '../shown.ts';
import type { AgentState, Digest, Facts, LastWrite, PathState } from '../types.ts';

/** What the agent knows of a path. Stored next to the ledger, private to the agent. */
export interface Baseline {
  /** The turn in which it was recorded; in a later turn it is the `last_seen`. */
  readonly turn: number;
  /** `absent`: the agent was told that there is no file. `unverified`: it may have been shown other content. */
  readonly knows: 'content' | 'absent' | 'unverified';
  /** The content that the agent last saw; `null` if it never saw any. */
  readonly digest: Digest | null;
  /** Partial reads of newer content that do not yet cover the whole file. */
  readonly partial?: {
    readonly digest: Digest;
    readonly total_lines: number;
    readonly ranges: readonly Range[];
  };
}

/** First and last line, counted from 1, inclusive. */
export type Range = readonly [number, number];

/** The file on disk. Times in milliseconds since the epoch. */
export interface Disk {
  readonly state: 'file' | 'missing' | 'directory' | 'special' | 'unreadable';
  readonly digest: Digest | null;
  readonly ctime_ms: number;
  /** For a missing file, if the shell searched for it. */
  readonly gone?: Gone;
}

/** The relevant part of an agent. `joined_lsn` is `null` if its session lives in another ledger. */
export type Judged = Pick<AgentState, 'id' | 'turn' | 'joined_wall_ms' | 'context'> & {
  readonly joined_lsn: AgentState['joined_lsn'] | null;
};

/** The three things that are compared. */
export interface Compared {
  readonly state: PathState;
  readonly baseline: Baseline | null;
  readonly disk: Disk;
}

/** The objection to overwriting this content, or `null`. */
export function judgeBaseline(
  at: ShownFile,
  agent: Judged,
  { state: path, baseline, disk }: Compared,
  facts: Pick<Facts, 'policy'>,
): Objection | null {
  const current = disk.state === 'missing' ? null : disk.digest;
  if (baseline !== null && baseline.turn === agent.turn)
    return isAsSeen(baseline, current)
      ? null
      : staleFile(at, staleFacts(path, baseline, current), disk.gone, facts.policy.enforcement);
  if (current === null || facts.policy.unread === 'off') return null;
  if (baseline?.knows === 'content' && baseline.digest === current) return null;
  const changed_by = whoWrote(path, current);
  const unread = unreadFile(at, { current_disk_hash: current, changed_by });
  if (baseline !== null || facts.policy.unread === 'always') return unread;
  return changedSinceJoin(agent, path, disk) ? unread : null;
}

function isAsSeen({ knows, digest }: Baseline, current: Digest | null): boolean {
  return knows !== 'unverified' && (knows === 'absent' ? current === null : digest === current);
}

const staleFacts = (path: PathState, baseline: Baseline, current: Digest | null): StaleFacts => ({
  baseline_hash: baseline.digest,
  current_disk_hash: current,
  cause: causeOf(baseline, current),
  changed_by: whoWrote(path, current),
});

function causeOf(baseline: Baseline, current: Digest | null): StaleFacts['cause'] {
  if (current === null) return 'target_missing';
  return baseline.knows === 'unverified' ? 'unverified_read' : 'modified';
}

/** The agent whose write left this content, or how uncertain that is; `outside` if the ledger knows no author. */
function whoWrote(path: PathState, current: Digest | null): string {
  if (path.last_write !== null && path.last_write.digest === current) return path.last_write.agent;
  return path.drift !== undefined && path.drift.digest === current ? authorName(path.drift) : 'outside';
}

/** Whether the file may have content that was written after the agent joined and is not its own. */
export function changedSinceJoin(agent: Judged, path: PathState, disk: Disk): boolean {
  if (agent.context === 'inherited') return true;
  const { last_write } = path;
  if (last_write !== null && last_write.digest === disk.digest) {
    return last_write.agent !== agent.id && wroteSinceJoin(agent, last_write, disk);
  }
  return disk.ctime_ms > agent.joined_wall_ms;
}

/** Decided by the ledger if the agent joined it; otherwise only the file's own time shows it. */
function wroteSinceJoin(agent: Judged, last_write: LastWrite, disk: Disk): boolean {
  return agent.joined_lsn === null ? disk.ctime_ms > agent.joined_wall_ms : last_write.lsn > agent.joined_lsn;
}
