/** How far a long reading is: a bar on standard error, where that is a terminal. */
import { isatty } from 'node:tty';
import ansiEscapes from 'ansi-escapes';
import type { Environment } from '../../repo/user-dirs.ts';
import { wallMs } from '../../repo/clock.ts';

export interface ProgressBar {
  readonly add: (amount: number) => void;
  readonly close: () => void;
}

const CELLS = 30;
/** Ten times a second: more nobody sees, and each is a system call. */
const BETWEEN_MS = 100;

const SILENT: ProgressBar = { add: () => undefined, close: () => undefined };

/** Whether a bar may be drawn. */
export const isDrawable = (env: Environment): boolean => isatty(2) && env['TERM'] !== 'dumb';

/** @param say writes to that terminal */
export function progressBar(total: number, is_drawn: boolean, say: (text: string) => void): ProgressBar {
  if (!is_drawn || total <= 0) return SILENT;
  let done = 0;
  let drawn_ms = 0;
  return {
    add(amount) {
      done += amount;
      const now_ms = wallMs();
      if (now_ms - drawn_ms < BETWEEN_MS) return;
      drawn_ms = now_ms;
      say(`\r${barAt(done / total)}${ansiEscapes.eraseEndLine}`);
    },
    close: () => say(`\r${ansiEscapes.eraseEndLine}`),
  };
}

export function barAt(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const full = Math.floor(part * CELLS);
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${String(Math.floor(part * 100)).padStart(3)} %`;
}
