// lazy: loaded at the first call of one of its functions, and exports nothing else.
import { monotonic } from '../repo/clock.ts';
import { rest } from '../repo/rest.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { EXIT, type ExitCode } from './exit.ts';
import type { Shell } from './shell.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Shows something now, again whenever the ledger grows, and every second while watched (leases end without a record). A
 * slow look takes up at most half of the time.
 */
const QUIET_MS = 1_000;
const CLEAR = '\u001b[H\u001b[2J';

/** To a pipe or a file, prints only what has changed. Returns the last exit code. */
export async function watchLoop(
  space: Pick<Workspace, 'store'>,
  shell: Shell,
  show: (shell: Shell, signal: AbortSignal) => Promise<ExitCode>,
  terminal = process.stdout.isTTY,
): Promise<ExitCode> {
  let last = '';
  let code: ExitCode = EXIT.yes;
  await untilStopped(async (signal) => {
    while (!signal.aborted) {
      let text = '';
      const out = (more: string): void => void (text += more);
      const began_ms = monotonic();
      code = await show({ ...shell, out, json: (value) => out(`${JSON.stringify(value)}\n`) }, signal);
      if (terminal) shell.out(`${CLEAR}${onScreen(text, process.stdout.rows)}`);
      else if (text !== last) shell.out(text);
      last = text;
      const took_ms = monotonic() - began_ms;
      if (took_ms > QUIET_MS) await rest(took_ms, signal);
      await grown(space, signal);
    }
  });
  return code;
}

/** The top of a screen matters most, and the last line sums up. @param rows `undefined` if unknown */
export function onScreen(text: string, rows: number | undefined): string {
  const lines = text.trimEnd().split('\n');
  // The cursor is below the last line.
  const most = (rows ?? 0) - 1;
  if (most < 3 || lines.length <= most) return text;
  const first = lines.slice(0, most - 2);
  return `${[...first, `… and ${lines.length - first.length - 1} more lines`, ...lines.slice(-1)].join('\n')}\n`;
}

/** Waits for the next record, for QUIET_MS at most. */
async function grown(space: Pick<Workspace, 'store'>, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]);
  for await (const _ of space.store.watch(space.store.tip(), either)) return;
}
