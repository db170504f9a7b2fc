/** What a key does to the screen. Pure: a board, a state and a key in; a state and what to do out. */
import type { Board, HeldFiles } from './rows.ts';
import { filtered, rowIn, rowsOf, type ScreenState } from './screen-state.ts';

/** A key as `node:readline` reports it. */
export interface Pressed {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly sequence?: string | undefined;
}

export type Deed =
  { readonly does: 'quit' | 'suspend' } | { readonly does: 'ask' | 'take'; readonly held: HeldFiles };

interface KeyAnswer {
  readonly state: ScreenState;
  readonly deed?: Deed;
}

export function pressed(board: Board, state: ScreenState, key: Pressed): KeyAnswer {
  if (key.ctrl === true) {
    const deed = key.name === 'c' ? 'quit' : key.name === 'z' ? 'suspend' : null;
    return deed === null ? { state } : { state, deed: { does: deed } };
  }
  if (state.is_typing) return { state: typed(state, key) };
  const word = NAMES[key.name ?? ''] ?? key.sequence ?? '';
  if (word === 'q') return { state, deed: { does: 'quit' } };
  if (word === 'r') return asking(board, state);
  const calm = { ...state, note: '', asked: null };
  return { state: ACTS[word]?.(calm, board) ?? state };
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ down: 'j', up: 'k', return: 'enter', enter: 'enter', escape: 'escape' },
  ...{ pagedown: 'page', space: 'page', pageup: 'back', home: 'g', end: 'G' },
};

const PAGE = 20;

const ACTS: Readonly<Record<string, (state: ScreenState, board: Board) => ScreenState>> = {
  j: (state, board) => moved(state, board, 1),
  k: (state, board) => moved(state, board, -1),
  page: (state, board) => moved(state, board, PAGE),
  back: (state, board) => moved(state, board, -PAGE),
  g: (state, board) => moved(state, board, -Infinity),
  G: (state, board) => moved(state, board, Infinity),
  enter: (state) => ({ ...state, is_open: !state.is_open && state.selected !== null, moved: 0 }),
  escape: (state) => (state.is_open ? { ...state, is_open: false } : { ...state, filter: '' }),
  '/': (state) => ({ ...state, is_typing: true, is_open: false }),
};

const DETAIL_MAX = 100_000;

function moved(state: ScreenState, board: Board, by: number): ScreenState {
  if (state.is_open) return { ...state, moved: Math.min(DETAIL_MAX, Math.max(0, state.moved + by)) };
  const rows = rowsOf(board, state);
  const at = rows.findIndex(({ id }) => id === state.selected);
  // With nothing selected, either key selects the first row.
  const to = at < 0 ? (by > 1 ? by : 0) : at + by;
  return { ...state, selected: rows[Math.min(rows.length - 1, Math.max(0, to))]?.id ?? null };
}

function typed(state: ScreenState, { name, sequence = '' }: Pressed): ScreenState {
  if (name === 'return' || name === 'enter') return { ...state, is_typing: false };
  if (name === 'escape') return { ...state, is_typing: false, filter: '' };
  if (name === 'backspace') return { ...state, filter: Array.from(state.filter).slice(0, -1).join('') };
  return /^\P{C}+$/u.test(sequence) ? { ...state, filter: state.filter + sequence } : state;
}

/** The first press asks the holder; the second, with nothing in between, takes the files back. */
function asking(board: Board, state: ScreenState): KeyAnswer {
  const row = rowIn(filtered(board, state.filter), state);
  if (row?.held === undefined)
    return { state: { ...state, note: 'Choose a lock first (j, k): r asks its holder to release it.' } };
  const does = state.asked === row.id ? 'take' : 'ask';
  return { state: { ...state, asked: does === 'ask' ? row.id : null }, deed: { does, held: row.held } };
}
