import { plain } from '../../core/plain.ts';
import { waitForLocks } from '../../locks/wait.ts';
import type { Waiting } from '../../locks/wait.ts';
import type { LockOptions } from '../commands/lock.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { report } from './report.ts';
import { acquireOptions, callerAt } from './try.ts';

export const DEFAULT_TIMEOUT_MS = 30_000;

/** @param terminal standard error is one: a person sees who holds the file and how long it may yet take */
export function waitCommand(
  paths: readonly string[],
  options: LockOptions,
  shell: Shell,
  terminal = process.stderr.isTTY,
): Promise<ExitCode> {
  return withLedger(
    shell,
    async (ledger) => {
      const cancel = cancellation();
      const screen = terminal ? countdown(shell) : null;
      try {
        const told = await waitForLocks(
          ledger,
          callerAt(ledger, options.agent, shell),
          paths,
          { ...acquireOptions(options), timeout_ms: options.timeout ?? DEFAULT_TIMEOUT_MS },
          { signal: cancel.signal, ...(screen === null ? {} : { onWaiting: screen.show }) },
        );
        screen?.clear();
        return report(told, options.json === true, shell);
      } finally {
        cancel.stop();
      }
    },
    paths,
  );
}

/** Ctrl-C and termination end the wait instead of the process, so that the ledger learns of it. */
function cancellation(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, cancel);
  return {
    signal: controller.signal,
    stop: () => signals.forEach((name) => process.off(name, cancel)),
  };
}

const CLEAR_LINE = '\r\u001b[2K';

/** One line that is written over until the wait is over. */
function countdown(shell: Shell): { show: (waiting: Waiting) => void; clear: () => void } {
  return {
    show: ({ filepaths, holders, left_ms, note }) => {
      const files = plain(filepaths.join(', '));
      const by = holders.length === 0 ? 'nobody yet' : plain(holders.join(', '));
      const left = `${Math.ceil(left_ms / 1000)} s left, Ctrl-C ends it`;
      const told = note === null ? '' : ` ${plain(note)}`;
      shell.err(`${CLEAR_LINE}waiting for ${files}: held by ${by}; ${left}${told}`);
    },
    clear: () => shell.err(CLEAR_LINE),
  };
}
