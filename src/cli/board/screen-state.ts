/** What a person has selected on the screen, and which rows remain visible. */
import type { Board, BoardRow, HeldFiles } from './rows.ts';

export interface ScreenState {
  /** Id of a row; `null` if none has been selected yet. */
  readonly selected: string | null;
  /** Whether the details of the selected row are shown. */
  readonly is_open: boolean;
  /** How far the details are scrolled. */
  readonly moved: number;
  readonly filter: string;
  /** Whether keys are typed into the filter. */
  readonly is_typing: boolean;
  /** The row whose holder was asked, and the files it was asked for. */
  readonly asked: {
    readonly id: string;
    readonly held: HeldFiles;
    /** From when on pressing the key again takes the files back (monotonic); Infinity until that could be read. */
    readonly from_ms: number;
  } | null;
  readonly note: string;
}

export const AT_FIRST: ScreenState = {
  ...{ selected: null, is_open: false, moved: 0, filter: '', is_typing: false, asked: null, note: '' },
};

/** Rows that contain the filter, ignoring case. */
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
