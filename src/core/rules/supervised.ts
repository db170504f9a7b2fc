/**
 * Whether a supervisor, or a process that found one dead, may still write about its agent. A supervisor that was taken for dead may
 * only have been stopped (a debugger, a suspended machine, a slow disk), and wakes up when another one has its place. Pure.
 */
import { hasPlace } from '../places-of-drafts.ts';
import type { DraftState, WorktreeState } from '../drafts.ts';
import { isSameRun, type RunMark, runMark } from '../run-mark.ts';
import { sameProcess } from '../same-process.ts';
import type { ProcessMark } from '../types.ts';
import { type DraftAnswer, noDraft } from './draft-begin.ts';
import type { Step } from './transaction.ts';

/** Absent: it is about whichever run is recorded. */
export interface OfRun {
  readonly of?: RunMark;
}

export interface SuperviseWord {
  readonly supervisor: ProcessMark | null;
  readonly starts?: number;
  /** Written by the supervisor itself. Absent: by its starter. */
  readonly is_own?: true;
}

export interface SetupWord extends OfRun {
  readonly worktree: WorktreeState;
  readonly doing: string | null;
}

export interface TakeOverWord extends Required<OfRun> {
  readonly supervisor: ProcessMark | null;
}

type Phased = OfRun & { readonly phase: string };

/** A refusal if another supervisor has taken its place since; otherwise `null`. */
export const isReplaced = (state: DraftState, { phase, of }: Phased): Step<DraftAnswer> | null =>
  (of !== undefined && !isSameRun(state, of)) || (BY_SUPERVISOR.includes(phase) && !hasPlace(state))
    ? noDraft('replaced', state, { agent: state.id, on_record: runMark(state) })
    : null;

/** Not written about a queued agent. */
const BY_SUPERVISOR = ['run', 'progress'];

/** A refusal, or nothing to do, if it begins too late; `null` if it may begin. */
export function isLateToBegin(
  state: DraftState,
  { supervisor, starts, is_own }: SuperviseWord,
): Step<DraftAnswer> | null {
  const { status, queued, worktree } = state;
  if (queued === undefined) return null;
  // It has been taken out of the queue again since.
  if (status === 'queued' || queued.starts !== starts) return noDraft('ended', state);
  if (queued.is_claimed) return null;
  // The supervisor has already recorded itself, and its starter does not know what has happened since.
  if (is_own !== true) return { records: [], result: { draft: state, refused: null } };
  const isTaken = worktree?.is_unfinished === true && !isBy(supervisor, state);
  return isTaken ? noDraft('replaced', state, { agent: state.id, on_record: runMark(state) }) : null;
}

const isBy = (one: ProcessMark | null, { supervisor }: DraftState): boolean =>
  supervisor === null || one === null ? supervisor === one : sameProcess(supervisor, one);

/** Whether its worktree was being created or set up. */
export const wasMaking = ({ status, worktree }: DraftState): boolean =>
  status === 'starting' && worktree?.is_unfinished === true;
