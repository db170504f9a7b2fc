/** What somebody has chosen on the screen, and what that leaves to be seen. */
import type { Board, BoardRow } from './rows.ts';

export interface ScreenState {
  /** Id of a row; null: none was chosen yet. */
  readonly selected: string | null;
  /** All that is shown of the chosen row. */
  readonly is_open: boolean;
  /** How far that is moved. */
  readonly moved: number;
  readonly filter: string;
  /** What is typed goes into the filter. */
  readonly is_typing: boolean;
  /** The row whose holder was asked: once more takes the files back. */
  readonly asked: string | null;
  readonly note: string;
}

export const AT_FIRST: ScreenState = {
  ...{ selected: null, is_open: false, moved: 0, filter: '', is_typing: false, asked: null, note: '' },
};

/** Rows of which something says it, in whatever case. */
export function filtered(board: Board, filter: string): Board {
  if (filter === '') return board;
  const wanted = filter.toLowerCase();
  const says = (text: string): boolean => text.toLowerCase().includes(wanted);
  const has = ({ cells, detail }: BoardRow): boolean =>
    cells.some(({ text }) => says(text)) || detail.some(says);
  const sections = board.sections.map((section) => ({ ...section, rows: section.rows.filter(has) }));
  return { ...board, sections: sections.filter(({ rows }) => rows.length > 0) };
}

export const rowsOf = (board: Board, { filter }: ScreenState): readonly BoardRow[] =>
  filtered(board, filter).sections.flatMap(({ rows }) => rows);

export const rowIn = (board: Board, { selected }: ScreenState): BoardRow | undefined =>
  board.sections.flatMap(({ rows }) => rows).find(({ id }) => id === selected);
