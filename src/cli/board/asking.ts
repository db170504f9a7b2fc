/**
 * `r`: the first press asks the holder, a later one takes the same files back. It counts only once the request was sent and
 * a person could read what a second press does: a held key repeats 30 times a second, and must never take anything.
 */
import type { Board, HeldFiles } from './rows.ts';
import { filtered, rowIn, type ScreenState } from './screen-state.ts';

export interface LockDeed {
  readonly does: 'ask' | 'take';
  readonly held: HeldFiles;
}

export interface Done {
  readonly is_done: boolean;
  readonly note: string;
}

/** How long the note has to be on the screen, without a press of the key, before a press takes the files. */
export const READ_MS = 1_000;

interface Asked {
  readonly state: ScreenState;
  readonly deed?: LockDeed;
}

export function askOrTake(board: Board, state: ScreenState, now_ms: number): Asked {
  const row = rowIn(filtered(board, state.filter), state);
  if (row?.held === undefined)
    return {
      state: { ...state, asked: null, note: 'Choose a lock first (j, k): r asks its holder to release it.' },
    };
  const { asked } = state;
  if (asked?.id !== row.id) {
    const { id, held } = row;
    return {
      state: { ...state, asked: { id, held, from_ms: Infinity }, note: 'Asking…' },
      deed: { does: 'ask', held },
    };
  }
  if (now_ms < asked.from_ms) return { state: readAgain(state, now_ms) };
  // What was asked for, even if the row has more by now.
  return { state: { ...state, asked: null }, deed: { does: 'take', held: asked.held } };
}

/** A press that came too early: the time to read begins again. */
const readAgain = (state: ScreenState, now_ms: number): ScreenState =>
  state.asked === null || state.asked.from_ms === Infinity
    ? state
    : noteShown(state, state.asked.held, now_ms);

/** What was done, unless another key came meanwhile: then a second press would refer to something else. */
export function afterDeed(
  state: ScreenState,
  { does, held }: LockDeed,
  { is_done, note }: Done,
): ScreenState {
  // The note of a newer request stays.
  if (does === 'take') return state.asked === null ? { ...state, note } : state;
  const isStill = state.asked?.held === held;
  if (is_done && isStill) return { ...state, note };
  if (isStill) return { ...state, asked: null, note };
  return state.asked === null ? { ...state, note: is_done ? 'Asked.' : note } : state;
}

/** Call it once the note of `afterDeed` was painted. */
export const noteShown = (state: ScreenState, held: HeldFiles, now_ms: number): ScreenState =>
  state.asked?.held === held ? { ...state, asked: { ...state.asked, from_ms: now_ms + READ_MS } } : state;
