/** `guard status --watch`: what the screen shows. Pure: a board, a size and a state in, lines out. */
import type { Colors } from '../colors.ts';
import { fitCell } from '../view/cell.ts';
import { wrapCells } from '../view/wrap.ts';
import type { BoardRow, Board } from './rows.ts';
import { filtered, rowIn, type ScreenState } from './screen-state.ts';
import { boardLines, type LaidLine } from './layout.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const KEYS = 'q quit  j/k/Tab move  Enter details  r ask holder  / filter';
const KEYS_OPEN = 'Enter or Esc back  j/k move  r ask holder  q quit';

/** Exactly as many lines as there are rows, none wider than the columns. */
export function screenLines(
  board: Board,
  { columns, rows }: ScreenSize,
  state: ScreenState,
  color: Colors,
): readonly string[] {
  const width = Math.max(1, columns);
  const shown = filtered(board, state.filter);
  const room = Math.max(0, rows - 1);
  const lines = state.is_open
    ? openLines(rowIn(shown, state), width, color)
    : boardLines(shown, { width, color, most: Infinity, how: '', selected: state.selected });
  const first = state.is_open
    ? Math.min(state.moved, Math.max(0, lines.length - room))
    : firstShown(lines, state, room);
  const page = lines.slice(first, first + room).map(({ text }) => text);
  const blank = Array.from({ length: room - page.length }, () => '');
  return [...page, ...blank, color.dim(fitCell(footer(state, lines.length - first - room), width))].slice(
    -rows,
  );
}

function openLines(row: BoardRow | undefined, width: number, color: Colors): readonly LaidLine[] {
  if (row === undefined) return [{ text: 'It no longer exists.' }];
  const title = row.cells
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('  ');
  return [
    ...wrapCells(title, width).map((text) => ({ text: color.bold(text) })),
    { text: '' },
    ...row.detail.flatMap((line) => wrapCells(line, width)).map((text) => ({ text })),
  ];
}

/** The head stays visible while the selected row is on the first page. */
function firstShown(lines: readonly LaidLine[], { selected }: ScreenState, room: number): number {
  const at = lines.findIndex(({ id }) => id !== undefined && id === selected);
  if (at < room) return 0;
  return Math.min(at - Math.floor(room / 2), Math.max(0, lines.length - room));
}

function footer({ is_typing, filter, note, is_open }: ScreenState, below: number): string {
  if (is_typing) return `/${filter}_   Enter keeps it, Esc drops it`;
  if (note !== '') return note;
  const more = below > 0 ? `  ${below} more lines below` : '';
  return `${is_open ? KEYS_OPEN : KEYS}${filter === '' ? '' : `  /${filter}`}${more}`;
}
