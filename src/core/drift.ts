/**
 * A change of a file that no guarded write explains: drift. Who did it is told from the time of the change and from the
 * commands that ran then; pure, so that tables and random histories can try it.
 */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest, PathState, RepoPath } from './types.ts';
import type { Author } from './drifted.ts';

/** The time of one agent's command. Milliseconds since the epoch; `until_ms` null: it runs. */
export interface Span {
  readonly agent: AgentId;
  readonly op: string;
  readonly since_ms: number;
  readonly until_ms: number | null;
  /** What its line names to write, a directory with all that is in it with a `/` at its end; null: the line was not read. */
  readonly targets: readonly RepoPath[] | null;
}

/** When a file changed, as far as the disk tells. Milliseconds since the epoch, both ends included. */
export interface Moment {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** A kernel's coarse clock lags behind that of programs by up to 10 ms (CONFIG_HZ=100), so a change may look older than it is. */
export const COARSE_MS = 20;

/** Times of a file that changed; of one that is gone only its directory's. */
export interface Times {
  readonly ctime_ms: number | null;
  readonly mtime_ms: number | null;
  /** When something last came into or went from the directory. */
  readonly dir_mtime_ms: number | null;
}

/**
 * `looked_ms`: the file was as before. A ctime cannot be set, but a later `chmod` moves it: where an mtime lies between, the
 * change lies between the two. A time that does not fit (restored by a tool, of another machine's clock) says nothing.
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
  // What is gone went at the latest when its directory last changed.
  if (times.ctime_ms === null && dir_mtime_ms !== null) return { from_ms: looked_ms, to_ms: dir_mtime_ms };
  return { from_ms: looked_ms, to_ms: now_ms };
}

/** Who changed a file then. Spans of guard's own events do not matter: a guarded write is no drift. */
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

/** What the ledger last knew of a file's content, whichever way it came there. */
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

/** As `changed_by` of a denial: an agent where that is certain, else how far it is not. */
export function authorName({ author, agents }: Author): string {
  if (author === 'outside') return 'outside';
  return author === 'parsed' ? agents.join(',') : `${author}: ${agents.join(', ')}`;
}
