// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** `guard status` as text for people, printed once. */
import type { Status } from '../../operations/status.ts';
import type { Colors } from '../colors.ts';
import { boardOf } from './board.ts';
import { boardLines } from './layout.ts';
import { terminalWidth } from './terminal-size.ts';

/** Rows shown per list without --all. */
const ROWS_USUAL = 50;

interface HowShown {
  readonly is_all: boolean;
  readonly color: Colors;
  readonly now_ms: number;
}

export function statusWords(told: Status, { is_all, color, now_ms }: HowShown): string {
  const board = boardOf(told, now_ms, !is_all);
  const layout = {
    width: terminalWidth(),
    color,
    most: is_all ? Infinity : ROWS_USUAL,
    how: ': guard status --all',
  };
  return `${boardLines(board, layout)
    .map(({ text }) => text)
    .join('\n')}\n`;
}
