/** Text in terminal cells. Most is ASCII, for which nothing has to be loaded. */
import { fitWide, wideWidth } from './wide.ts';

const ASCII = /^[\x20-\x7e]*$/;

/** @param text without escape sequences */
export const cellWidth = (text: string): number => (ASCII.test(text) ? text.length : wideWidth(text));

/** Never wider than `width`. @param keep which end of the text matters more */
export function fitCell(text: string, width: number, keep: 'start' | 'end' | 'ends' = 'start'): string {
  if (cellWidth(text) <= width) return text;
  if (width < 1) return '';
  if (!ASCII.test(text)) return fitWide(text, width, keep);
  const first = { start: width - 1, end: 0, ends: Math.ceil((width - 1) / 2) }[keep];
  return `${text.slice(0, first)}…${text.slice(text.length - (width - 1 - first))}`;
}

export const padCell = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - cellWidth(text)));
