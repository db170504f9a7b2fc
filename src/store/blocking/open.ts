/**
 * Wraps an engine that answers in promises for callers that can only block, such as hooks and commands. The engine runs
 * in its own thread, which is started once, on first use; the caller sleeps until it answers or `answer_ms` has passed.
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
  /** The argument for the engine's `open` in that file. */
  readonly config: unknown;
  readonly supports: Store['supports'];
  /** How long to wait for an answer. Must exceed the engine's own time limit. */
  readonly answer_ms: number;
  /** Default: starts a worker thread. */
  readonly start?: typeof startThread;
}

const PAGE_RECORDS = 512;

/** @throws GuardError GUARD_ERR_ENGINE_AWAY if the thread does not answer in time; otherwise whatever the engine throws */
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
    *scan(from = 0, most = PAGE_RECORDS) {
      for (let at = from; ;) {
        const page = ask('scan', at, most);
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < most) return;
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
