// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A file with other content than its agent knows: since when, by whom, and what is said of it. */
import type { Objection } from '../denial.ts';
import { authorName } from '../drift.ts';
import { type StaleFacts, staleFile, unreadFile } from '../messages.ts';
import type { ShownFile } from '../shown.ts';
import type { Digest, LastWrite, PathState, Policy } from '../types.ts';
import type { Baseline, Compared, Disk, Judged } from './compared.ts';

export function staleSince(
  at: ShownFile,
  { state, baseline, disk }: Compared & { readonly baseline: Baseline },
  enforcement: Policy['enforcement'],
): Objection {
  const current = disk.state === 'missing' ? null : disk.digest;
  return staleFile(at, staleFacts(state, baseline, current), disk.gone, enforcement);
}

export const unreadAs = (at: ShownFile, path: PathState, current: Digest): Objection =>
  unreadFile(at, { current_disk_hash: current, changed_by: whoWrote(path, current) });

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
