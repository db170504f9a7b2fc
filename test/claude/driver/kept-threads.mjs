/**
 * Keeps the threads of a shared ledger's engine for the next request of a warm process: starting one and loading its
 * modules takes 100 ms of processor time, the rest of a hook 20. A thread is kept only if nothing is left of its request
 * a moment after that ended: no connection, no timer, no lookup.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const threads = createRequire(import.meta.url)('node:worker_threads');
const PROGRAM = join(import.meta.dirname, '../../../dist/cli/postgres.mjs');
const SERVER = join(import.meta.dirname, 'kept-threads-thread.mjs');
export const STATES = { busy: 0, free: 1 };

/** Replaces `Worker`, for that program only. @returns what puts it back */
export function keepThreads() {
  if (process.env['GUARD_TEST_PROCESSES'] === '1') return () => undefined;
  const { Worker } = threads;
  const kept = [];
  threads.Worker = class {
    constructor(program, options) {
      return program === PROGRAM ? begin(options) : new Worker(program, options);
    }
  };
  syncBuiltinESMExports();
  return () => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  };

  function begin({ workerData, transferList }) {
    const at = kept.findIndex(({ state }) => Atomics.load(state, 0) === STATES.free);
    const one = at < 0 ? start() : kept.splice(at, 1)[0];
    Atomics.store(one.state, 0, STATES.busy);
    one.thread.postMessage({ program: PROGRAM, workerData, env: { ...process.env } }, transferList);
    return {
      on: () => undefined,
      unref: () => undefined,
      terminate() {
        kept.push(one);
        one.thread.postMessage({ ends: true });
        return Promise.resolve(0);
      },
    };
  }

  function start() {
    const state = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(SERVER, { workerData: { state }, execArgv: [] });
    thread.unref();
    const one = { thread, state };
    const forget = () => kept.includes(one) && kept.splice(kept.indexOf(one), 1);
    thread.on('error', forget);
    thread.on('exit', forget);
    return one;
  }
}
