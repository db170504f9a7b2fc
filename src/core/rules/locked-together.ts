/**
 * A denied write without a lock names, in one call, everything that its agent is likely to write, because agents that
 * lock files one by one as they are denied cause deadlocks. What it read in this turn is likely, if that is little
 * (decision 110).
 */
import type { Objection } from '../denial.ts';
import { lockAsTold, lockTogether } from '../messages.ts';
import { shownAt } from '../shown.ts';
import type { RepoPath, ToldLocks } from '../types.ts';
import { claim, coveringHold } from './lease.ts';
import type { JudgedWrite } from './judged-write.ts';
import type { ReadFile, WriteTarget } from './write-event.ts';

/** An agent that read more was exploring: what it will write is unknown, and a lock keeps others out for a turn. */
const FILES_MAX = 8;
const CHARS_MAX = 1_200;
/** The calls of one message are denied one after the other; the first denial names all files. */
const SAME_MESSAGE_MS = 30_000;

export interface Told {
  readonly objections: readonly Objection[];
  /** The files that were named, if there were more than those of the call. */
  readonly list: readonly RepoPath[] | null;
}

/** The objections; the step of one NOT_LOCKED is extended to name the other files too. */
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

/** The list was given already; a file that is not on it gets its own step. */
function asTold(objection: Objection, open: readonly WriteTarget[], told: ToldLocks): Objection {
  const target = targetOf(objection, open);
  return target !== undefined && told.paths.includes(target.path) ? lockAsTold(objection) : objection;
}

/** It was named a moment ago, and nothing on the list was locked since. */
function isOfSameMessage({ changes, agent, facts }: JudgedWrite, told: ToldLocks): boolean {
  const isHeld = (path: RepoPath): boolean => coveringHold(changes, path, agent.id, facts) !== undefined;
  return (
    agent.boot === facts.now.boot &&
    facts.now.mono_ms - told.mono_ms < SAME_MESSAGE_MS &&
    !told.paths.some(isHeld)
  );
}

/**
 * It is free for the agent now, and not a file that the agent wrote itself and released. A file that another agent
 * holds would make the command fail, and no agent should lose an idle lease to a guess.
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
