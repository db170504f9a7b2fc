/**
 * Changes of an agent's files that bypassed guard: looked for around its commands and at its other events, attributed to the
 * agent that was at work, recorded, and reported to this agent if they are its own (told-drift.ts).
 */
import { pausedBy } from '../../core/policy/pause.ts';
import { authorOf, momentOf, type Span } from '../../core/drift.ts';
import type { Noted } from '../../core/rules/drift.ts';
import type { Digest, RepoPath } from '../../core/types.ts';
import { dirname } from 'node:path';
import { stampOf } from '../../repo/stat-key.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { turnOf } from '../events/targets.ts';
import { readOff } from '../../install/off.ts';
import { keep } from '../kept.ts';
import { memo } from '../memo.ts';
import type { HookSpace, Hook } from '../context.ts';
import { account, type ComparedFile, differing } from './compare.ts';
import { heldPaths } from './live-holds.ts';
import { spansIn } from './spans.ts';
import { type Book, learnBaselines, learnHolds, readBook, trim, writeBook } from './watch-book.ts';

export interface Noticing {
  /** The call around which this look happens; '' if there is none. */
  readonly op: string;
  /** Whether this event's answer reaches the agent; if not, its own changes are left for an event whose answer does. */
  readonly hears: boolean;
  /** Whether a command is about to run. */
  readonly before: boolean;
}

/** One file that changed, with what the ledger says about it. */
export interface Noticed extends ComparedFile {
  readonly noted: Noted;
}

/** The limit for one ledger. Beyond it, only changes of held files are recorded. */
const RECORDED_MAX = 200;

/** @param tell called with what was found before it is marked as told */
export function noticeIn(
  hook: Hook,
  space: HookSpace,
  noticing: Noticing,
  tell: (noted: readonly Noticed[]) => readonly string[],
): readonly string[] {
  const { who, now, deadline, dry } = hook;
  const { state_dir, repo } = space;
  const now_ms = now.wall_ms;
  const spelled = memo(String, spelledAt(repo));
  const book = readBook(state_dir, who.id);
  const held = space.repo.initialised ? heldPaths(space, dry) : NONE;
  learnBaselines(book, { state_dir, agent: who.id, now_ms, spelled });
  learnHolds(book, held, { state_dir, agent: who.id, now_ms, spelled });
  trim(book);
  const found = differing(book, {
    now_ms,
    deadline,
    spelled,
    learns: noticing.before,
    keep: (path, abs, seen) => keep(hook, space, { path, abs }, seen),
  });
  const noted = found.length === 0 ? [] : record(hook, space, { book, found, held, noticing });
  try {
    return tell(noted);
  } finally {
    for (const one of noted) if (isSettled(one, who.id, noticing)) account(book, one, now_ms);
    for (const one of found) if (noted.every(({ path }) => path !== one.path)) account(book, one, now_ms);
    if (found.length > 0) book.looked_ms = now_ms;
    if (book.changed && !dry) writeBook(state_dir, who.id, book);
  }
}

const NONE: ReadonlySet<RepoPath> = new Set();

/** A write in progress will be recorded soon; this agent's own changes are reported when it can hear them. */
const isSettled = ({ noted }: Noticed, me: string, { hears }: Noticing): boolean =>
  noted.state !== 'pending' && (hears || !noted.agents.includes(me));

interface Comparison {
  readonly book: Book;
  readonly found: readonly ComparedFile[];
  readonly held: ReadonlySet<RepoPath>;
  readonly noticing: Noticing;
}

function record(hook: Hook, space: HookSpace, { book, found, held, noticing }: Comparison): Noticed[] {
  const { who, now } = hook;
  // While a person has paused guard, changes are attributed to no one.
  if (readOff(pausedBy(space, hook.home).state_dir, now) !== null) return [];
  const spans = spansIn(hook, space);
  const looked_ms = lookedAt(book, spans, who.id);
  const chosen = [
    ...found.filter(({ path }) => held.has(path)),
    ...found.filter(({ path }) => !held.has(path)).slice(0, RECORDED_MAX),
  ];
  const turn = turnOf(hook);
  const changes = chosen.map((one) => ({
    path: one.path,
    from: one.from,
    to: one.to,
    seen: hasSeen(space, one.path, one.from, turn),
    ...authorOf(one.path, momentOf(timesOf(one), { looked_ms, now_ms: now.wall_ms }), spans),
  }));
  const noted = space.run({ type: 'drift', who, op: noticing.op, changes });
  return chosen.flatMap((one, nth) => {
    const said = noted[nth];
    return said === undefined ? [] : [{ ...one, noted: said }];
  });
}

function hasSeen({ baselines }: HookSpace, path: string, from: Digest | null, turn: number): boolean {
  const baseline = baselines.read(path);
  return baseline?.turn === turn && baseline.knows === 'content' && baseline.digest === from;
}

export const timesOf = ({ abs, stamp: { ctime_ms, mtime_ms } }: Pick<ComparedFile, 'abs' | 'stamp'>) => ({
  ctime_ms,
  mtime_ms,
  dir_mtime_ms: ctime_ms === null ? stampOf(dirname(abs)).mtime_ms : null,
});

/** The last time when this agent's hooks saw no open change: when the book was written, or before or after one of its commands. */
function lookedAt(book: Book, spans: readonly Span[], me: string): number {
  const own = spans.filter(({ agent }) => agent === me);
  return Math.max(book.looked_ms, ...own.flatMap(({ since_ms, until_ms }) => [since_ms, until_ms ?? 0]));
}
