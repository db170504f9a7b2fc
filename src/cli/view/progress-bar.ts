/** The progress of long work: one line on standard error, rewritten in place, if that is a terminal. */
import ansiEscapes from 'ansi-escapes';
import { wallMs } from '../../repo/clock.ts';
import type { Shell } from '../shell.ts';

export interface ProgressBar {
  /** @param amount work done since the last call, out of `total` */
  readonly step: (amount: number, total: number) => void;
  readonly close: () => void;
}

const CELLS = 30;
/** Ten times a second: the eye cannot follow more, and each update is a system call. */
const BETWEEN_MS = 100;

const SILENT: ProgressBar = { step: () => undefined, close: () => undefined };

export function progressBar(
  { isWatched, err }: Pick<Shell, 'isWatched' | 'err'>,
  { json }: { readonly json?: boolean },
): ProgressBar {
  if (json === true || !isWatched) return SILENT;
  let done = 0;
  let drawn_ms = 0;
  return {
    step(amount, total) {
      done += amount;
      const now_ms = wallMs();
      if (total <= 0 || now_ms - drawn_ms < BETWEEN_MS) return;
      drawn_ms = now_ms;
      err(`\r${barAt(done / total)}${ansiEscapes.eraseEndLine}`);
    },
    close() {
      if (drawn_ms > 0) err(`\r${ansiEscapes.eraseEndLine}`);
    },
  };
}

/** Removes the bar when the work is finished, even if it failed. */
export function withProgress<T>(
  shell: Shell,
  options: { readonly json?: boolean },
  work: (step: ProgressBar['step']) => T,
): T {
  const bar = progressBar(shell, options);
  try {
    return work(bar.step);
  } finally {
    bar.close();
  }
}

export function barAt(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const full = Math.floor(part * CELLS);
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${String(Math.floor(part * 100)).padStart(3)} %`;
}
