/** Following the ledger: the kernel wakes us within a millisecond of a commit; a slow poll is only the net below. */
import { watch } from 'node:fs';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { asFailure } from '../failure.ts';
import { scanFrom } from './scan.ts';
import type { Position } from './scan.ts';

const POLL_MS = 250;

/** Resolves at the next change, the next poll or the abort. */
interface Bell {
  wait(): Promise<void>;
  close(): void;
}

function hangBell(dir: string, signal: AbortSignal): Bell {
  let rung = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  const poll = setInterval(ring, POLL_MS);
  const watcher = watch(dir, (_event, name) => {
    if (name?.startsWith('ledger-') !== false) ring();
  });
  // A watcher that fails (too many of them) leaves the poll.
  watcher.on('error', () => undefined);
  signal.addEventListener('abort', ring);
  return {
    async wait() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
    close() {
      clearInterval(poll);
      watcher.close();
      signal.removeEventListener('abort', ring);
    },
  };
}

export async function* watchLedger(
  dir: string,
  from: Lsn,
  signal: AbortSignal,
): AsyncGenerator<LedgerRecord, void> {
  const position: Position = { lsn: from, prev: undefined };
  const bell = hangBell(dir, signal);
  try {
    while (!signal.aborted) {
      for (const record of scanFrom(dir, position)) yield record;
      await bell.wait();
    }
  } catch (error) {
    throw asFailure(error, `follow the ledger in ${dir}`, { path: dir });
  } finally {
    bell.close();
  }
}
