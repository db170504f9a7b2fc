/** Lays out rows as aligned columns that fit. Pure. */
import type { Colors } from '../colors.ts';
import { cellWidth, fitCell, padCell } from '../view/cell.ts';
import { wrapCells } from '../view/wrap.ts';
import { widthsFor, withoutSentences } from './column-widths.ts';
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

export function boardLines(board: Board, layout: Layout): readonly LaidLine[] {
  return [
    ...board.head.flatMap((cell) =>
      wrapCells(cell.text, layout.width).map((text) => ({ text: toned({ ...cell, text }, layout) })),
    ),
    { text: toned({ text: fitCell(board.sums, layout.width), tone: 'dim' }, layout) },
    ...board.sections.flatMap((section) => sectionLines(section, layout)),
  ];
}

function sectionLines({ title, tone, rows }: BoardSection, layout: Layout): readonly LaidLine[] {
  const shown = rows.slice(0, layout.most);
  const { widths, is_below } = widthsFor(shown, layout.width);
  const more = rows.length - shown.length;
  return [
    { text: '' },
    { text: toned({ text: fitCell(title, layout.width), tone }, layout) },
    ...shown.flatMap((row) => [
      { id: row.id, text: rowLine(is_below ? withoutSentences(row) : row, widths, layout) },
      ...(is_below ? sentencesBelow(row, layout) : []),
    ]),
    ...(more > 0 ? [{ text: fitCell(`  and ${more} more${layout.how}`, layout.width) }] : []),
  ];
}

const BELOW = '    ';

const sentencesBelow = ({ cells, id }: BoardRow, { width, color, selected }: Layout): readonly LaidLine[] =>
  cells
    .filter(({ text, is_sentence }) => is_sentence === true && text !== '')
    .flatMap(({ text }) => wrapCells(text, Math.max(1, width - BELOW.length)))
    .map((text) => fitCell(BELOW + text, width))
    .map((text) => ({ text: id === selected ? color.bold(text) : text }));

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
