/** Printed text on a screen that is kept open: as much of it as fits, and keys to move. Pure. */
import { fitCell } from '../view/cell.ts';
import type { Pressed } from './keys.ts';
import type { ScreenSize } from './screen.ts';

export interface PageState {
  /** How many lines are above the screen. */
  readonly first: number;
}

export const AT_TOP: PageState = { first: 0 };

const KEYS = 'q quit  j/k move';

/** Exactly as many lines as there are rows, none wider than the columns. */
export function pageLines(
  text: string,
  { columns, rows }: ScreenSize,
  { first }: PageState,
): readonly string[] {
  const all = linesOf(text);
  const room = Math.max(0, rows - 1);
  const at = Math.min(first, Math.max(0, all.length - room));
  const shown = at === 0 ? topOf(all, room) : all.slice(at, at + room);
  const blank = Array.from({ length: room - shown.length }, () => '');
  return [...shown, ...blank, KEYS].map((line) => fitCell(line, columns)).slice(-rows);
}

/** The top matters most, and the last line sums up. */
function topOf(all: readonly string[], room: number): readonly string[] {
  if (all.length <= room || room < 3) return all.slice(0, room);
  const first = all.slice(0, room - 2);
  return [...first, `… and ${all.length - first.length - 1} more lines`, ...all.slice(-1)];
}

const STEPS: Readonly<Record<string, (page: number) => number>> = {
  ...{ j: () => 1, down: () => 1, k: () => -1, up: () => -1 },
  ...{ pagedown: (page) => page, space: (page) => page, pageup: (page) => -page },
  ...{ home: () => -Infinity, end: () => Infinity },
};

interface PageShown {
  readonly text: string;
  /** Of the terminal. */
  readonly rows: number;
}

export function pageMoved({ first }: PageState, key: Pressed, { text, rows }: PageShown): PageState {
  const room = Math.max(1, rows - 1);
  const most = Math.max(0, linesOf(text).length - room);
  const by =
    key.sequence === 'G' ? Infinity : key.sequence === 'g' ? -Infinity : STEPS[key.name ?? '']?.(room - 1);
  return by === undefined ? { first } : { first: Math.min(most, Math.max(0, Math.min(first, most) + by)) };
}

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');
