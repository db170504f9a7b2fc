/** The terminal as a full screen: taken, given back however the process ends, painted by differences. */
import { emitKeypressEvents } from 'node:readline';
import { onSignals } from '../../repo/on-signals.ts';
import { writeAll } from '../write.ts';
import { TAKE_SCREEN, GIVE_BACK, repaint } from './paint.ts';
import type { Pressed } from './keys.ts';
import type { ScreenSize } from './screen.ts';

export interface PaintedTerminal {
  readonly size: () => ScreenSize;
  readonly paint: (lines: readonly string[]) => void;
  /** Returns once it is in the foreground again. */
  readonly suspend: () => void;
  readonly close: () => void;
}

interface Listeners {
  readonly key: (key: Pressed) => void;
  /** Called after a resize, and when in the foreground again. */
  readonly changed: () => void;
}

export function takeTerminal({ key, changed }: Listeners): PaintedTerminal {
  const { stdin, stdout } = process;
  let shown: readonly string[] | null = null;
  const enter = (): void => {
    stdin.setRawMode(true);
    writeAll(1, TAKE_SCREEN);
    shown = null;
  };
  const leave = (): void => {
    stdin.setRawMode(false);
    writeAll(1, GIVE_BACK);
  };
  const suspend = (): void => {
    leave();
    process.kill(process.pid, 'SIGSTOP');
  };
  const again = (): void => {
    shown = null;
    changed();
  };
  const pressedKey = (_: string | undefined, it: Pressed): void => key(it);
  emitKeypressEvents(stdin);
  stdin.on('keypress', pressedKey).resume();
  stdout.on('resize', again);
  const stopped = onSignals(['SIGTSTP'], suspend);
  const continued = onSignals(['SIGCONT'], () => {
    enter();
    again();
  });
  // Even after a crash, because the terminal returns to someone's shell.
  process.once('exit', leave);
  enter();
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    paint(lines) {
      const text = repaint(shown?.length === lines.length ? shown : null, lines);
      if (text !== '') writeAll(1, text);
      shown = lines;
    },
    suspend,
    close() {
      process.off('exit', leave);
      stdout.off('resize', again);
      stdin.off('keypress', pressedKey).pause();
      stopped();
      continued();
      leave();
    },
  };
}
