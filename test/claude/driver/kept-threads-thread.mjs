/** Runs the program of a thread again for each request, for kept-threads.mjs. Its modules have no state. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setImmediate } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';
import { STATES } from './kept-threads.mjs';

const threads = createRequire(import.meta.url)('node:worker_threads');
const { state } = workerData;
/** What a request leaves for a moment: a connection that the server closes, for example. */
const LEFT = /Socket|TCP|Pipe|TLS|Req|Timeout/;
const END_MS = 50;
const sleeping = new Int32Array(new SharedArrayBuffer(4));
let serial = 0;

parentPort.on('message', ({ program, workerData: data, env, ends }) => {
  if (ends) end(performance.now() + END_MS);
  else begin(program, data, env);
});

function begin(program, data, env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  threads.workerData = data;
  syncBuiltinESMExports();
  serial += 1;
  void import(`${program}?${serial}`);
}

/** Ends the thread if something is left. */
function end(until_ms) {
  if (!process.getActiveResourcesInfo().some((name) => LEFT.test(name))) Atomics.store(state, 0, STATES.free);
  else if (performance.now() > until_ms) process.exit();
  else {
    Atomics.wait(sleeping, 0, 0, 1);
    setImmediate(end, until_ms);
  }
}
