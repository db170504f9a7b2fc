/** The caller's side of the thread boundary: asks the engine's thread and sleeps until it has answered. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Lsn } from '../../core/ledger.ts';
import { GuardError } from '../../core/error.ts';
import { monotonic } from '../../repo/clock.ts';
import {
  errorOf,
  type Question,
  type Questions,
  type ThreadAnswer,
  type ThreadAsk,
  type ThreadData,
} from './wire.ts';

const CLOSE_MS = 500;

/** What the thread is started with: the file that calls `serveThread`, and the argument for its engine. */
interface Program {
  readonly program: string;
  readonly config: unknown;
}

export interface EngineThread {
  ask<Name extends keyof Questions>(
    name: Name,
    args: Parameters<Questions[Name]>,
    answer_ms: number,
  ): ReturnType<Questions[Name]>;
  watch(from: Lsn, to: MessagePort): void;
  end(): void;
}

export function startThread({ program, config }: Program): EngineThread {
  const { port1: port, port2: other } = new MessageChannel();
  const rung = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { config, port: other, rung };
  const worker = new Worker(program, { workerData, transferList: [other], execArgv: [] });
  // The thread must not keep the process alive. If it fails to start, the caller sees that as a missing answer.
  worker.unref();
  worker.on('error', () => undefined);
  port.unref();
  let nth = 0;
  const say = (asked: ThreadAsk, ports: readonly MessagePort[] = []): void =>
    port.postMessage(asked, [...ports]);
  const thread: EngineThread = {
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
        // The server notices on its own that the connection is gone.
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

/** Skips answers to earlier questions, whose callers gave up waiting. */
function answerTo(nth: number, { port, rung, answer_ms }: Line): unknown {
  const until = monotonic() + answer_ms;
  for (;;) {
    const seen = Atomics.load(rung, 0);
    const answered = receiveMessageOnPort(port)?.message as ThreadAnswer | undefined;
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
    'Check that the server is running and reachable from this machine.',
    { waited_ms },
  );
