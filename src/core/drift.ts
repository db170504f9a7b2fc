/**
 * Drift: a change of a file that no guarded write explains. Its author is inferred from the time of the change and the
 * commands that ran then. Pure, so that tables and random histories can test it.
 */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest, PathState, RepoPath } from './types.ts';
import type { Author } from './drifted.ts';

/** The time span of one agent's command. Milliseconds since the epoch; `until_ms` is `null` while it runs. */
export interface Span {
  readonly agent: AgentId;
  readonly op: string;
  readonly since_ms: number;
  readonly until_ms: number | null;
  /** The targets that its line names; a trailing `/` means a directory with all it contains. `null`: not parsed. */
  readonly targets: readonly RepoPath[] | null;
}

/** When a file changed, as far as the disk shows. Milliseconds since the epoch, both ends included. */
export interface Moment {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** The kernel's coarse clock lags behind programs' by up to 10 ms (CONFIG_HZ=100), so a change may look too old. */
export const COARSE_MS = 20;

/** Timestamps of a changed file; if it is gone, only its directory's is known. */
export interface Times {
  readonly ctime_ms: number | null;
  readonly mtime_ms: number | null;
  /** When an entry was last added to or removed from the directory. */
  readonly dir_mtime_ms: number | null;
}

/**
 * At `looked_ms` the file was still unchanged. A ctime cannot be set, but a later `chmod` moves it; if the mtime is
 * earlier, the change happened between the two. A time that cannot be right (restored by a tool, or from another
 * machine's clock) is ignored.
 */
export function momentOf(
  times: Times,
  { looked_ms, now_ms }: { readonly looked_ms: number; readonly now_ms: number },
): Moment {
  const fitting = (time: number | null): number | null =>
    time !== null && time >= looked_ms - COARSE_MS && time <= now_ms ? time : null;
  const ctime_ms = fitting(times.ctime_ms);
  const mtime_ms = fitting(times.mtime_ms);
  const dir_mtime_ms = fitting(times.dir_mtime_ms);
  if (ctime_ms !== null) return { from_ms: Math.min(ctime_ms, mtime_ms ?? ctime_ms), to_ms: ctime_ms };
  // A missing file was removed no later than its directory's last change.
  if (times.ctime_ms === null && dir_mtime_ms !== null) return { from_ms: looked_ms, to_ms: dir_mtime_ms };
  return { from_ms: looked_ms, to_ms: now_ms };
}

/** The author of a change at that moment. Spans of guarded writes do not matter: a guarded write is not drift. */
export function authorOf(path: RepoPath, moment: Moment, spans: readonly Span[]): Author {
  const open = spans.filter((span) => covers(span, moment));
  const naming = agentsOf(open.filter(({ targets }) => names(targets ?? [], path)));
  const [named] = naming;
  if (named !== undefined && naming.length === 1) return { author: 'parsed', agents: [named] };
  const agents = naming.length > 1 ? naming : agentsOf(open);
  if (agents.length > 1) return { author: 'ambiguous', agents };
  return { author: agents.length === 0 ? 'outside' : 'suspected', agents };
}

const names = (targets: readonly RepoPath[], path: RepoPath): boolean =>
  targets.some((target) => target === path || (target.endsWith('/') && path.startsWith(target)));

const covers = ({ since_ms, until_ms }: Span, { from_ms, to_ms }: Moment): boolean =>
  since_ms - COARSE_MS <= to_ms && (until_ms === null || until_ms >= from_ms);

const agentsOf = (spans: readonly Span[]): AgentId[] => [...new Set(spans.map(({ agent }) => agent))].sort();

/** The file content last known to the ledger, whether from a write or from drift. */
export interface KnownContent {
  readonly digest: Digest | null;
  readonly lsn: Lsn;
  readonly by: Author;
}

export function lastKnown({ last_write, drift }: PathState): KnownContent | null {
  if (drift !== undefined && (last_write === null || drift.lsn > last_write.lsn))
    return { digest: drift.digest, lsn: drift.lsn, by: drift };
  if (last_write === null) return null;
  const { digest, lsn, agent } = last_write;
  return { digest, lsn, by: { author: 'parsed', agents: [agent] } };
}

/** For `changed_by` in a denial: an agent if that is certain, otherwise how uncertain it is. */
export function authorName({ author, agents }: Author): string {
  if (author === 'outside') return 'outside';
  return author === 'parsed' ? agents.join(',') : `${author}: ${agents.join(', ')}`;
}
