/** How wide the columns of a list are. Pure. */
import { cellWidth } from '../view/cell.ts';
import type { BoardRow } from './rows.ts';

const INDENT = 2;
const GAP = 2;
/** No column gets narrower than this. */
const LEAST = 6;

interface Widths {
  readonly widths: readonly number[];
  /** Whether sentences are below their rows. */
  readonly is_below: boolean;
}

/** As wide as the widest cell. Without room for all, sentences move below, spare columns go, and the widest shrink. */
export function widthsFor(rows: readonly BoardRow[], width: number): Widths {
  let widths = widest(rows);
  if (usedBy(widths) <= width) return { widths, is_below: false };
  const is_below = rows.some(({ cells }) => cells.some(({ is_sentence }) => is_sentence === true));
  if (is_below) widths = widest(rows.map(withoutSentences));
  if (usedBy(widths) > width)
    rows[0]?.cells.forEach(({ is_spare }, at) => {
      if (is_spare === true) widths[at] = 0;
    });
  return { widths: shrunk(widths, width), is_below };
}

function widest(rows: readonly BoardRow[]): number[] {
  const widths: number[] = [];
  for (const { cells } of rows)
    cells.forEach(({ text }, at) => (widths[at] = Math.max(widths[at] ?? 0, cellWidth(text))));
  return widths;
}

const usedBy = (widths: readonly number[]): number =>
  widths.filter((one) => one > 0).reduce((sum, one) => sum + one + GAP, INDENT - GAP);

function shrunk(widths: number[], width: number): readonly number[] {
  let over = usedBy(widths) - width;
  while (over > 0) {
    const at = widths.indexOf(Math.max(...widths));
    if ((widths[at] ?? 0) <= LEAST) break;
    widths[at] = (widths[at] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

/** A row as it is where its sentences are below it. */
export const withoutSentences = ({ cells, ...row }: BoardRow): BoardRow => ({
  ...row,
  cells: cells.map((cell) => (cell.is_sentence === true ? { ...cell, text: '' } : cell)),
});
