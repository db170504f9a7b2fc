// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Follows the ledger: the kernel wakes us within a millisecond of a commit; a slow poll is only a safety net. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { asFailure } from '../failure.ts';
import { list, segmentName } from './files.ts';
import { type Position, scanFrom } from './scan.ts';

/** Poll interval if the kernel reports changes; if it does not, POLL_MS applies. */
const NET_MS = 1_000;
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
  let end = endOf(dir);
  const look = (): void => {
    const now = endOf(dir);
    if (now === end && now !== null) return;
    end = now;
    ring();
  };
  let poll = setInterval(look, NET_MS);
  const oftener = (): void => {
    clearInterval(poll);
    poll = setInterval(look, POLL_MS);
  };
  const watcher = watcherOf(dir, ring, oftener);
  signal.addEventListener('abort', ring);
  return {
    async wait() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
    close() {
      clearInterval(poll);
      watcher?.close();
      signal.removeEventListener('abort', ring);
    },
  };
}

/** A system has a limited number of watchers. If none is available, or it fails, only the poll remains. */
function watcherOf(dir: string, ring: () => void, failed: () => void): FSWatcher | null {
  try {
    const watcher = watch(dir, (_event, name) => {
      if (name?.startsWith('ledger-') !== false) ring();
    });
    return watcher.on('error', failed);
  } catch {
    failed();
    return null;
  }
}

/** Where the ledger ends, at the cost of two calls; null if that cannot be determined. */
const endOf = (dir: string): string | null =>
  attempt(() => {
    const last = list(dir).segments.at(-1);
    return last === undefined ? null : `${last}:${statSync(`${dir}/${segmentName(last)}`).size}`;
  }, null);

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
