/** What a key does to the screen. Pure: a board, a state and a key in; a state and what to do out. */
import { askOrTake, type LockDeed } from './asking.ts';
import type { Board } from './rows.ts';
import { filtered, rowsOf, type ScreenState } from './screen-state.ts';

/** A key as `node:readline` reports it. */
export interface Pressed {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly shift?: boolean | undefined;
  readonly sequence?: string | undefined;
}

export type Deed = { readonly does: 'quit' | 'suspend' } | LockDeed;

interface Pressing {
  /** Monotonic. */
  readonly now_ms: number;
  /** Of the terminal. */
  readonly rows: number;
}

interface KeyAnswer {
  readonly state: ScreenState;
  readonly deed?: Deed;
}

export function pressed(
  board: Board,
  state: ScreenState,
  key: Pressed,
  { now_ms, rows }: Pressing,
): KeyAnswer {
  const calm = { ...state, note: '', asked: null };
  if (key.ctrl === true) {
    const deed = key.name === 'c' ? 'quit' : key.name === 'z' ? 'suspend' : null;
    return deed === null ? { state } : { state: calm, deed: { does: deed } };
  }
  if (state.is_typing) return { state: typed(state, key) };
  const word =
    key.name === 'tab' && key.shift === true ? 'backtab' : (NAMES[key.name ?? ''] ?? key.sequence ?? '');
  if (word === 'q') return { state, deed: { does: 'quit' } };
  if (word === 'r') return askOrTake(board, state, now_ms);
  return { state: ACTS[word]?.(calm, board, Math.max(1, rows - KEPT)) ?? state };
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ down: 'j', up: 'k', return: 'enter', enter: 'enter', escape: 'escape' },
  ...{ pagedown: 'page', space: 'page', pageup: 'back', home: 'g', end: 'G', tab: 'tab' },
};

/** The last line is for the keys, and one line of a page is on the next one, too. */
const KEPT = 2;

const ACTS: Readonly<Record<string, (state: ScreenState, board: Board, page: number) => ScreenState>> = {
  j: (state, board) => moved(state, board, 1),
  k: (state, board) => moved(state, board, -1),
  page: (state, board, page) => moved(state, board, page),
  back: (state, board, page) => moved(state, board, -page),
  tab: (state, board) => toSection(state, board, 1),
  backtab: (state, board) => toSection(state, board, -1),
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

/** To the first row of the next or previous section, round and round. */
function toSection(state: ScreenState, board: Board, by: 1 | -1): ScreenState {
  const { sections } = filtered(board, state.filter);
  const at = sections.findIndex(({ rows }) => rows.some(({ id }) => id === state.selected));
  const to = at < 0 ? (by > 0 ? 0 : -1) : (at + by) % sections.length;
  return { ...state, is_open: false, selected: sections.at(to)?.rows[0]?.id ?? null };
}

function typed(state: ScreenState, { name, sequence = '' }: Pressed): ScreenState {
  if (name === 'return' || name === 'enter') return { ...state, is_typing: false };
  if (name === 'escape') return { ...state, is_typing: false, filter: '' };
  if (name === 'backspace') return { ...state, filter: Array.from(state.filter).slice(0, -1).join('') };
  return /^\P{C}+$/u.test(sequence) ? { ...state, filter: state.filter + sequence } : state;
}
