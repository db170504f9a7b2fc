/**
 * An engine that answers in promises, for those who can wait only by blocking, as hooks and commands do: it lives in a thread of
 * its own, and this one sleeps until it has answered. Opened on use, and once; without the engine's own limit this one ends.
 */
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { lookOf } from '../look.ts';
import type { Store } from '../store.ts';
import { startThread, type EngineThread } from './thread.ts';
import { committedOf, errorOf, type Questions, readOnWire, type SentRecord } from './wire.ts';

export interface BlockingOptions {
  /** The file that calls `serveThread`. */
  readonly program: string;
  /** What that is called with. */
  readonly config: unknown;
  readonly supports: Store['supports'];
  /** Longer than the engine itself tries. */
  readonly answer_ms: number;
  /** Absent: a thread of its own. */
  readonly start?: typeof startThread;
}

const PAGE_RECORDS = 512;

/** @throws GuardError GUARD_ERR_ENGINE_AWAY where the thread does not answer; whatever the engine throws */
export function openBlocking(options: BlockingOptions): Store {
  const { supports, answer_ms, start = startThread } = options;
  let live: EngineThread | undefined;
  const thread = (): EngineThread => (live ??= start(options));
  const ask = <Name extends keyof Questions>(
    name: Name,
    ...args: Parameters<Questions[Name]>
  ): ReturnType<Questions[Name]> => thread().ask(name, args, answer_ms);
  return {
    supports,
    look: (keys, indexes = []) => lookOf(ask('look', keys, indexes)),
    commit: (read, records, id) => committedOf(ask('commit', readOnWire(read), records, id)),
    *scan(from = 0) {
      for (let at = from; ;) {
        const page = ask('scan', at, PAGE_RECORDS);
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE_RECORDS) return;
        at = last.lsn + 1;
      }
    },
    watch: (from, signal) => watchOver(thread(), from, signal),
    tip: () => ask('tip'),
    close() {
      live?.end();
      live = undefined;
    },
  };
}

async function* watchOver(
  thread: EngineThread,
  from: Lsn,
  signal: AbortSignal,
): AsyncGenerator<LedgerRecord, void> {
  const { port1: port, port2: other } = new MessageChannel();
  const got: SentRecord[] = [];
  port.on('message', (sent: SentRecord) => got.push(sent));
  thread.watch(from, other);
  try {
    while (!signal.aborted) {
      const sent = got.shift();
      if (sent === undefined) await once(port, 'message', { signal }).catch(() => undefined);
      else if ('failure' in sent) throw errorOf(sent.failure);
      else yield sent.record;
    }
  } finally {
    port.close();
  }
}
