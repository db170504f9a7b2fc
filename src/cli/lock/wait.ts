import type { AcquireResult } from '../../core/rules/acquire.ts';
import type { Who } from '../../core/rules/agent.ts';
import type { LockOptions } from '../commands/lock.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { locateAll } from './located.ts';
import type { LocatedPath } from './located.ts';
import { report } from './report.ts';
import { acquire } from './try.ts';

/** How long one look lasts before the next; a release is noticed at the next look. */
const POLL_MS = 100;

/**
 * Files in canonical order, each with its own timeout, those that were got are kept (`--all`: one timeout, one
 * transaction). Whatever ends the wait, its edge and its tickets end with it.
 */
export function waitForLocks(
  paths: readonly string[],
  options: LockOptions,
  shell: Shell,
): Promise<ExitCode> {
  return withLedger(
    shell,
    async (ledger) => {
      const who = ledger.who(options.agent);
      const located = locateAll(ledger, paths);
      const groups = options.all === true ? [located] : located.map((row) => [row]);
      const results: AcquireResult[] = [];
      const cancel = cancellation();
      try {
        for (const group of groups) {
          if (cancel.cancelled) break;
          results.push(...(await waitFor(ledger, who, group, options, cancel)));
        }
      } finally {
        cancel.stop();
      }
      const why = cancel.cancelled ? 'cancelled' : 'timeout';
      const all = report(located, results, options, shell, (row) => (row.path === null ? null : why));
      return all ? EXIT.yes : EXIT.no;
    },
    paths,
  );
}

async function waitFor(
  ledger: Ledger,
  who: Who,
  group: readonly LocatedPath[],
  options: LockOptions,
  cancel: Cancellation,
): Promise<readonly AcquireResult[]> {
  const until_mono_ms = ledger.facts().now.mono_ms + (options.timeout ?? 30_000);
  for (;;) {
    const results = acquire(ledger, who, group, options, until_mono_ms);
    if (results.every((result) => result.acquired)) return results;
    if (cancel.cancelled || ledger.facts().now.mono_ms >= until_mono_ms) {
      const paths = results.filter((result) => !result.acquired).map((result) => result.path);
      ledger.run({ type: 'lock.unwait', who, paths, cause: cancel.cancelled ? 'cancelled' : 'timeout' });
      return results;
    }
    await cancel.sleep(POLL_MS);
  }
}

interface Cancellation {
  readonly cancelled: boolean;
  sleep(duration_ms: number): Promise<void>;
  stop(): void;
}

/** Ctrl-C and termination end the wait instead of the process, so that the ledger learns of it. */
function cancellation(): Cancellation {
  let cancelled = false;
  let wake = (): void => undefined;
  const cancel = (): void => {
    cancelled = true;
    wake();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, cancel);
  return {
    get cancelled() {
      return cancelled;
    },
    sleep: (duration_ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, duration_ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    stop: () => signals.forEach((signal) => process.off(signal, cancel)),
  };
}
