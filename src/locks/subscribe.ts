/** Wakes a waiter: the ledger signals when something relevant was committed, without polling. */
import type { LedgerRecord } from '../core/ledger.ts';
import type { Store } from '../store/store.ts';

export interface Bell {
  /** Resolves at a record that concerns the waiter, at the end of the signal, or after `limit_ms`. */
  rung(concerns: Concerns, limit_ms: number): Promise<void>;
  readonly isOver: () => boolean;
  close(): void;
}

type Concerns = (record: LedgerRecord) => boolean;

type Heard = IteratorResult<LedgerRecord> | 'nothing';

/** Receives everything committed from this call on. */
export function subscribe(store: Store, signal: AbortSignal): Bell {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const records = store.watch(store.tip(), either)[Symbol.asyncIterator]();
  let next: Promise<Heard> | null = null;
  // If the watcher fails (a system has a limited number), only the time limit is left.
  const listen = (): Promise<Heard> =>
    (next ??= records.next().catch(() => new Promise<Heard>(() => undefined)));
  return {
    isOver: () => either.aborted,
    async rung(concerns, limit_ms) {
      const limit = silence(limit_ms, either);
      try {
        for (;;) {
          const heard = await Promise.race([listen(), limit.over]);
          if (heard === 'nothing') return;
          next = null;
          if (heard.done === true || concerns(heard.value)) return;
        }
      } finally {
        limit.clear();
      }
    },
    close() {
      stop.abort();
      // Between two records the generator sleeps, and would keep its watcher.
      records.return?.(undefined).catch(() => undefined);
    },
  };
}

function silence(limit_ms: number, signal: AbortSignal): { over: Promise<'nothing'>; clear: () => void } {
  let clear = (): void => undefined;
  const over = new Promise<'nothing'>((resolve) => {
    const end = (): void => resolve('nothing');
    const timer = setTimeout(end, limit_ms);
    signal.addEventListener('abort', end, { once: true });
    clear = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    if (signal.aborted) end();
  });
  return { over, clear };
}
