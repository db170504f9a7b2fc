// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Shows something now, again whenever the ledger grows, and every second while watched (leases end without a record). A
 * slow look takes up at most half of the time. On a terminal it is a screen like that of `guard status --watch`; to a pipe
 * or a file it prints only what has changed.
 */
import { monotonic } from '../repo/clock.ts';
import { rest } from '../repo/rest.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { AT_TOP, pageLines, pageMoved, type PageState } from './board/page.ts';
import { type PaintedTerminal, takeTerminal } from './board/terminal.ts';
import { isPaintable } from './board/terminal-size.ts';
import { EXIT, type ExitCode } from './exit.ts';
import type { Shell } from './shell.ts';
import { SERVER_SIGNALS, untilStopped } from './until-stopped.ts';

const QUIET_MS = 1_000;

type Show = (shell: Shell, signal: AbortSignal) => Promise<ExitCode>;

/** Returns the last exit code. @param isScreen whether to take the terminal */
export async function watchLoop(
  space: Pick<Workspace, 'store'>,
  shell: Shell,
  show: Show,
  isScreen = isPaintable(shell.env),
): Promise<ExitCode> {
  const own = new AbortController();
  const screen = isScreen ? screenFor(own) : null;
  let last = '';
  let code: ExitCode = EXIT.yes;
  const work = async (signal: AbortSignal): Promise<void> => {
    const either = AbortSignal.any([signal, own.signal]);
    while (!either.aborted) {
      let text = '';
      const out = (more: string): void => void (text += more);
      const began_ms = monotonic();
      const to = { ...shell, out, json: (value: unknown) => out(`${JSON.stringify(value)}\n`) };
      code = await show(screen === null ? to : { ...to, err: out }, either);
      if (screen !== null) screen.show(text);
      else if (text !== last) shell.out(text);
      last = text;
      const took_ms = monotonic() - began_ms;
      if (took_ms > QUIET_MS) await rest(took_ms, either);
      await grown(space, either);
    }
  };
  try {
    await (screen === null ? untilStopped(work) : untilStopped(work, SERVER_SIGNALS));
  } finally {
    screen?.close();
  }
  return code;
}

/** Takes the terminal when there is something to show: an error before that is printed as by every command. */
function screenFor(own: AbortController) {
  let terminal: PaintedTerminal | undefined;
  let state: PageState = AT_TOP;
  let text = '';
  const paint = (): void => terminal?.paint(pageLines(text, terminal.size(), state));
  return {
    show(now: string): void {
      text = now;
      terminal ??= takeTerminal({
        changed: paint,
        key(it) {
          if (it.name === 'q' || (it.ctrl === true && it.name === 'c')) own.abort();
          else if (it.ctrl === true && it.name === 'z') terminal?.suspend();
          else state = pageMoved(state, it, { text, rows: terminal?.size().rows ?? 0 });
          paint();
        },
      });
      paint();
    },
    close: () => terminal?.close(),
  };
}

/** Waits for the next record, for QUIET_MS at most. */
async function grown(space: Pick<Workspace, 'store'>, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]);
  for await (const _ of space.store.watch(space.store.tip(), either)) return;
}
