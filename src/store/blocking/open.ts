/**
 * An engine that answers in promises, for those who can wait only by blocking, as hooks and commands do: it lives in a thread of
 * its own, and this one sleeps until it has answered. Opened on use, and once; without the engine's own limit this one ends.
 */
import { once } from 'node:events';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { GuardError } from '../../core/error.ts';
import { monotonic } from '../../repo/clock.ts';
import { lookOf } from '../look.ts';
import type { Store } from '../store.ts';
import {
  type Answered,
  type Asked,
  committedOf,
  errorOf,
  type Question,
  type Questions,
  readOnWire,
  type Sent,
  type ThreadData,
} from './wire.ts';

export interface BlockingOptions {
  /** The file that calls `serveThread`. */
  readonly program: string;
  /** What that is called with. */
  readonly config: unknown;
  readonly supports: Store['supports'];
  /** Longer than the engine itself tries. */
  readonly answer_ms: number;
}

const PAGE_RECORDS = 512;
const CLOSE_MS = 500;

interface Thread {
  ask<Name extends keyof Questions>(
    name: Name,
    args: Parameters<Questions[Name]>,
    answer_ms: number,
  ): ReturnType<Questions[Name]>;
  watch(from: Lsn, to: MessagePort): void;
  end(): void;
}

/** @throws GuardError GUARD_ERR_ENGINE_AWAY where the thread does not answer; whatever the engine throws */
export function openBlocking(options: BlockingOptions): Store {
  const { supports, answer_ms } = options;
  let live: Thread | undefined;
  const thread = (): Thread => (live ??= startThread(options));
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

function startThread({ program, config }: BlockingOptions): Thread {
  const { port1: port, port2: other } = new MessageChannel();
  const rung = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { config, port: other, rung };
  const worker = new Worker(program, { workerData, transferList: [other], execArgv: [] });
  // Whoever has nothing else to do ends; a thread that could not begin is told of as one that does not answer.
  worker.unref();
  worker.on('error', () => undefined);
  port.unref();
  let nth = 0;
  const say = (asked: Asked, ports: readonly MessagePort[] = []): void => port.postMessage(asked, [...ports]);
  const thread: Thread = {
    ask(name, args, answer_ms) {
      const mine = ++nth;
      say({ nth: mine, asked: { name, args } as Question });
      return answerTo(mine, { port, rung, answer_ms }) as ReturnType<Questions[typeof name]>;
    },
    watch: (from, to) => say({ name: 'watch', from, to }, [to]),
    end() {
      try {
        thread.ask('close', [], CLOSE_MS);
      } catch {
        // The server finds out by itself.
      }
      port.close();
      void worker.terminate();
    },
  };
  return thread;
}

interface Line {
  readonly port: MessagePort;
  readonly rung: Int32Array;
  readonly answer_ms: number;
}

/** Answers to earlier questions, which somebody gave up waiting for, are nobody's. */
function answerTo(nth: number, { port, rung, answer_ms }: Line): unknown {
  const until = monotonic() + answer_ms;
  for (;;) {
    const seen = Atomics.load(rung, 0);
    const answered = receiveMessageOnPort(port)?.message as Answered | undefined;
    if (answered === undefined) {
      const left_ms = until - monotonic();
      if (left_ms <= 0) throw silent(answer_ms);
      Atomics.wait(rung, 0, seen, left_ms);
    } else if (answered.nth === nth) {
      if ('failure' in answered) throw errorOf(answered.failure);
      return answered.value;
    }
  }
}

const silent = (waited_ms: number): GuardError =>
  new GuardError(
    'GUARD_ERR_ENGINE_AWAY',
    `The shared ledger did not answer within ${Math.round(waited_ms / 100) / 10} s.`,
    'See whether the server runs and can be reached from here.',
    { waited_ms },
  );

async function* watchOver(
  thread: Thread,
  from: Lsn,
  signal: AbortSignal,
): AsyncGenerator<LedgerRecord, void> {
  const { port1: port, port2: other } = new MessageChannel();
  const got: Sent[] = [];
  port.on('message', (sent: Sent) => got.push(sent));
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
