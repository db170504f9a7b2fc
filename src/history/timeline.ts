/** Leases, waits, writes and denials for the files of a window, one row each: as much as a screen can show. */
import { grouped } from '../core/grouped.ts';
import type { AgentId, RepoPath } from '../core/types.ts';
import type { Happened } from './contention.ts';
import type { HeldSpan } from './span.ts';
import { isWithin, touches, type Window } from './window.ts';

/** Bars too close together to be seen separately are merged. */
export interface Bar extends Pick<
  HeldSpan,
  'agent' | 'kind' | 'from_ms' | 'from_lsn' | 'to_ms' | 'ended_by'
> {
  /** How many spans it represents. */
  readonly spans: number;
}

interface Mark {
  readonly ms: number;
  readonly agent: AgentId;
  readonly kind: 'write' | 'denial';
}

export interface TimelineRow {
  readonly path: RepoPath;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

export interface Timeline extends Window {
  readonly rows: readonly TimelineRow[];
  /** The number of files with something in the window, besides those in `rows`. */
  readonly more: number;
}

export interface TimelineWish extends Window {
  readonly rows: number;
  /** Only files whose path contains this text. */
  readonly matching: string;
}

/** About a pixel each on the widest screen. */
const STEPS = 1_500;
const MARKS_MOST = 300;

export function timelineOf({ spans, writes, denials }: Happened, wish: TimelineWish): Timeline {
  const isMeant = (path: RepoPath): boolean => path.includes(wish.matching);
  const bars = grouped(
    spans.filter((span) => touches(span, wish) && isMeant(span.path)),
    ({ path }) => path,
  );
  const marks = new Map<RepoPath, Mark[]>();
  const mark = (path: RepoPath, one: Mark): void => {
    if (!isMeant(path) || !isWithin(one.ms, wish)) return;
    const known = marks.get(path);
    if (known === undefined) marks.set(path, [one]);
    else known.push(one);
  };
  for (const { path, ms, agent } of writes) mark(path, { ms, agent, kind: 'write' });
  for (const { paths, ms, agent } of denials)
    for (const path of paths) mark(path, { ms, agent, kind: 'denial' });
  const weight = (path: RepoPath): number =>
    (bars.get(path) ?? []).reduce(weigh, marks.get(path)?.length ?? 0);
  const paths = [...new Set([...bars.keys(), ...marks.keys()])]
    .map((path) => ({ path, heavy: weight(path) }))
    .sort((a, b) => b.heavy - a.heavy || (a.path < b.path ? -1 : 1));
  const shown = paths.slice(0, wish.rows).sort((a, b) => (a.path < b.path ? -1 : 1));
  const step_ms = (wish.to_ms - wish.from_ms) / STEPS;
  return {
    ...{ from_ms: wish.from_ms, to_ms: wish.to_ms, more: paths.length - shown.length },
    rows: shown.map(({ path }) => ({
      path,
      bars: joined(bars.get(path) ?? [], step_ms),
      marks: thinned(marks.get(path) ?? [], step_ms).slice(-MARKS_MOST),
    })),
  };
}

/** Waits matter most to the viewer, and what is held now matters more than what was. */
const weigh = (sum: number, { kind, to_ms }: HeldSpan): number =>
  sum + (kind === 'wait' ? 5 : 1) + (to_ms === null ? 10 : 0);

function joined(spans: readonly HeldSpan[], step_ms: number): Bar[] {
  const found: Bar[] = [];
  const last = new Map<string, number>();
  for (const { agent, kind, from_ms, from_lsn, to_ms, ended_by } of spans) {
    const name = `${kind}\n${agent}`;
    const at = last.get(name);
    const before = at === undefined ? undefined : found[at];
    if (at !== undefined && before?.to_ms != null && from_ms - before.to_ms < step_ms)
      found[at] = { ...before, to_ms, ended_by, spans: before.spans + 1 };
    else last.set(name, found.push({ agent, kind, from_ms, from_lsn, to_ms, ended_by, spans: 1 }) - 1);
  }
  return found;
}

function thinned(marks: readonly Mark[], step_ms: number): Mark[] {
  const last = new Map<string, number>();
  return [...marks]
    .sort((a, b) => a.ms - b.ms)
    .filter(({ ms, agent, kind }) => {
      const name = `${kind}\n${agent}`;
      const before = last.get(name) ?? -Infinity;
      if (ms - before < step_ms) return false;
      last.set(name, ms);
      return true;
    });
}
