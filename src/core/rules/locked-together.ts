/**
 * A write without a lock is told to lock, in one call, all that its agent is likely to write: who locks one file after the
 * other, as it is refused them, makes deadlocks. Likely is what it read in this turn, where that is little (decision 110).
 */
import type { Objection } from '../denial.ts';
import { lockAsTold, lockTogether } from '../messages.ts';
import { shownAt } from '../shown.ts';
import type { RepoPath, ToldLocks } from '../types.ts';
import { claim, coveringHold } from './lease.ts';
import type { JudgedWrite } from './judged-write.ts';
import type { ReadFile, WriteTarget } from './write-event.ts';

/** Who read more looked around: nobody can tell which of it will be written, and a lock keeps others out for a turn. */
const FILES_MAX = 8;
const CHARS_MAX = 1_200;
/** The calls of one message are refused one after the other; the first refusal names all files. */
const SAME_MESSAGE_MS = 30_000;

export interface Told {
  readonly objections: readonly Objection[];
  /** What was named, if it was more than the files of the call. */
  readonly list: readonly RepoPath[] | null;
}

/** The objections, where one is NOT_LOCKED with its step made to name the other files too. */
export function lockedTogether(refused: JudgedWrite, objections: readonly Objection[]): Told {
  const { agent, event, facts } = refused;
  const isOpen = ({ abs }: WriteTarget): boolean =>
    objections.some(({ error_type, path }) => error_type === 'NOT_LOCKED' && path === abs);
  const open = event.targets.filter(isOpen);
  const as_they_are = { objections, list: null };
  if (open.length === 0 || event.reads === undefined) return as_they_are;
  const told = agent.told_locks;
  const targets = event.targets.map(({ path }) => path);
  const read = event.reads(event.home?.turn ?? agent.turn).filter(({ path }) => !targets.includes(path));
  if (told !== undefined && isOfSameMessage(refused, told))
    return { objections: objections.map((one) => asTold(one, open, told)), list: null };
  const more = read.filter((file) => isToBeLocked(refused, file));
  const files = [...open, ...more].sort((a, b) => (a.path < b.path ? -1 : 1));
  const named = files.map(({ abs }) => abs);
  if (more.length === 0 || files.length > FILES_MAX || named.join(' ').length > CHARS_MAX) return as_they_are;
  const inOneCall = (objection: Objection): Objection => {
    const target = targetOf(objection, open);
    if (target === undefined) return objection;
    return lockTogether(objection, { at: shownAt(target.abs, target.path, facts), files: named });
  };
  return { objections: objections.map(inOneCall), list: files.map(({ path }) => path) };
}

const targetOf = ({ error_type, path }: Objection, open: readonly WriteTarget[]): WriteTarget | undefined =>
  error_type === 'NOT_LOCKED' ? open.find(({ abs }) => abs === path) : undefined;

/** The list is there already; a file that is not on it has a step of its own. */
function asTold(objection: Objection, open: readonly WriteTarget[], told: ToldLocks): Objection {
  const target = targetOf(objection, open);
  return target !== undefined && told.paths.includes(target.path) ? lockAsTold(objection) : objection;
}

/** Told a moment ago, and nothing of it was locked since. */
function isOfSameMessage({ changes, agent, facts }: JudgedWrite, told: ToldLocks): boolean {
  const isHeld = (path: RepoPath): boolean => coveringHold(changes, path, agent.id, facts) !== undefined;
  return (
    agent.boot === facts.now.boot &&
    facts.now.mono_ms - told.mono_ms < SAME_MESSAGE_MS &&
    !told.paths.some(isHeld)
  );
}

/**
 * Free for it now, and not what it wrote itself and gave back. What another agent holds would make the command fail, and
 * nobody should lose an idle lease to a guess.
 */
function isToBeLocked({ changes, agent, facts }: JudgedWrite, { path, digest }: ReadFile): boolean {
  const { last_write } = changes.path(path);
  if (last_write?.agent === agent.id && last_write.digest === digest) return false;
  const claimed = claim({ changes, agent, facts }, path, 'exclusive');
  return (
    claimed.verdict === 'free' &&
    !claimed.reserved &&
    claimed.yielded.every((hold) => hold.agent === agent.parent)
  );
}
