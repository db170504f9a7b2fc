import { stripVTControlCharacters } from 'node:util';
import { cellWidth } from './cell.ts';

/** Rows as aligned columns, indented; trailing blanks removed. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))));
  }
  return rows.map((row) =>
    `  ${row.map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)))).join('  ')}`.trimEnd(),
  );
}

/** The rows as columns, or `none` if there are none. */
export const table = (rows: readonly (readonly string[])[], none: string): string =>
  `${(rows.length === 0 ? [none] : columns(rows)).join('\n')}\n`;

const widthOf = (cell: string): number => cellWidth(stripVTControlCharacters(cell));
