/** Lays out rows as aligned columns that fit. Pure. */
import type { Colors } from '../colors.ts';
import { cellWidth, fitCell, padCell } from '../view/cell.ts';
import type { Board, BoardCell, BoardRow, BoardSection } from './rows.ts';

export interface LaidLine {
  readonly text: string;
  /** Id of the row that it shows. */
  readonly id?: string;
}

interface Layout {
  /** Infinity: nothing is cut. */
  readonly width: number;
  readonly color: Colors;
  /** Number of rows shown per section; the others are counted. */
  readonly most: number;
  /** Appended to the number of hidden rows. */
  readonly how: string;
  /** The row marked as selected. */
  readonly selected?: string | null;
}

const INDENT = 2;
const GAP = 2;
/** No column gets narrower than this. */
const LEAST = 6;

export function boardLines(board: Board, layout: Layout): readonly LaidLine[] {
  return [
    ...board.head.map((cell) => ({
      text: toned({ ...cell, text: fitCell(cell.text, layout.width) }, layout),
    })),
    { text: toned({ text: fitCell(board.sums, layout.width), tone: 'dim' }, layout) },
    ...board.sections.flatMap((section) => sectionLines(section, layout)),
  ];
}

function sectionLines({ title, tone, rows }: BoardSection, layout: Layout): readonly LaidLine[] {
  const shown = rows.slice(0, layout.most);
  const widths = widthsFor(shown, layout.width);
  const more = rows.length - shown.length;
  return [
    { text: '' },
    { text: toned({ text: fitCell(title, layout.width), tone }, layout) },
    ...shown.map((row) => ({ id: row.id, text: rowLine(row, widths, layout) })),
    ...(more > 0 ? [{ text: fitCell(`  and ${more} more${layout.how}`, layout.width) }] : []),
  ];
}

/** As wide as the widest cell; if all together are too wide, the widest columns shrink. */
function widthsFor(rows: readonly BoardRow[], width: number): number[] {
  const widths: number[] = [];
  for (const { cells } of rows)
    cells.forEach(({ text }, at) => (widths[at] = Math.max(widths[at] ?? 0, cellWidth(text))));
  const used = (): number =>
    widths.filter((one) => one > 0).reduce((sum, one) => sum + one + GAP, INDENT - GAP);
  if (used() > width)
    rows[0]?.cells.forEach(({ is_spare }, at) => {
      if (is_spare === true) widths[at] = 0;
    });
  let over = used() - width;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= LEAST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

const MARK = '> ';

function rowLine({ id, cells }: BoardRow, widths: readonly number[], layout: Layout): string {
  const { selected, width } = layout;
  const shown = cells.flatMap((cell, at) => {
    const room = widths[at] ?? 0;
    return room === 0 ? [] : [{ cell: { ...cell, text: fitCell(cell.text, room, cell.keep) }, room }];
  });
  const words = shown.map(({ cell, room }) => padCell(cell.text, room)).join('  ');
  const plainLine = `${id === selected ? MARK : '  '}${words}`.trimEnd();
  // Narrower than the minimum: the rest is cut, and has no colours that could be cut in two.
  if (cellWidth(plainLine) > width) return fitCell(plainLine, width);
  if (id === selected) return layout.color.bold(plainLine);
  // Blanks have no colour, so trailing ones can be trimmed.
  const painted = shown.map(
    ({ cell, room }) => toned(cell, layout) + padCell(cell.text, room).slice(cell.text.length),
  );
  return `  ${painted.join('  ')}`.trimEnd();
}

const toned = ({ text, tone = 'plain' }: BoardCell, { color }: Pick<Layout, 'color'>): string =>
  tone === 'plain' || text.trim() === '' ? text : color[tone](text);
