// Many agents at one ledger, each with a file of its own: lock and release, in processes that live (one a step after the other) and
// in cold ones (a process for every step). Operations a second, failures with GUARD_ERR_BUSY, how long the slowest waited, and
// the CPU time that a process spends between taking the ledger's lock and giving it back (process.cpuUsage).
//
//   npm run bench:contention                                    16 and 32 agents, 5 s each
//   GUARD_BENCH_AGENTS=1,2,4,16 GUARD_BENCH_SECONDS=10 GUARD_BENCH_FACES=warm npm run bench:contention
//   GUARD_BENCH_ROOT=<another checkout> npm run bench:contention  its sources, to compare with
//   GUARD_BENCH_SPINNERS=50 npm run bench:contention              so many processes that do nothing but run
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { makeRepository } from './ledger-repository.mjs';
import { buildParts } from './ledger-parts.mjs';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const AGENTS = numbers('GUARD_BENCH_AGENTS', '16,32');
const [SECONDS] = numbers('GUARD_BENCH_SECONDS', '5');
const [SPINNERS] = numbers('GUARD_BENCH_SPINNERS', '0');
const FACES = (process.env.GUARD_BENCH_FACES ?? 'warm,cold').split(',');
const root = path.resolve(process.env.GUARD_BENCH_ROOT ?? path.join(import.meta.dirname, '../..'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-contention-'));

const WORKER = `
  import { openStore } from './src/store/open.ts';
  import { operate } from './src/store/operate.ts';
  import { chooseFlock } from './src/store/flock/flock.ts';
  import { openClock } from './src/repo/clock.ts';
  import * as upkeep from './src/store/upkeep.ts';
  export { openStore, operate, chooseFlock, openClock, upkeep };
`;

/** One file, as a hook is; the native lock is looked for beside dist/. */
const library = path.join(scratch, 'engine.cjs');
await build({
  stdin: { contents: WORKER, resolveDir: root, loader: 'ts' },
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile: library,
  define: { 'import.meta.filename': JSON.stringify(path.join(root, 'dist/bench.cjs')) },
  logLevel: 'error',
});

// Between flock(2) and the close of its descriptor: both are seen here without a change to what is measured.
const program = path.join(scratch, 'agent.cjs');
fs.writeFileSync(
  program,
  `
  const fs = require('node:fs');
  const [, , library, dir, name, end, warm] = process.argv;
  const held = [];
  let begun;
  const dlopen = process.dlopen;
  process.dlopen = (module, file, ...rest) => {
    dlopen.call(process, module, file, ...rest);
    const { take } = module.exports;
    if (typeof take !== 'function') return;
    const own = (fd, operation) => {
      const got = take(fd, operation);
      if (got === 0) begun = { fd, at: process.cpuUsage() };
      return got;
    };
    module.exports = { ...module.exports, take: own };
  };
  const close = fs.closeSync;
  fs.closeSync = (fd) => {
    close(fd);
    if (begun?.fd !== fd) return;
    const { user, system } = process.cpuUsage(begun.at);
    held.push(user + system);
    begun = undefined;
  };
  const { openStore, operate, openClock, upkeep } = require(library);
  const now = openClock();
  const remembered = warm === 'warm' ? upkeep.openRemembered?.() : undefined;
  const store = openStore({ dir, now, lock_deadline_ms: 4000, ...(remembered ? { remembered } : {}) });
  const facts = () => ({
    now: now(),
    policy: { enforcement: 'required', unread: 'changed', ttl_ms: 900000, idle_ms: 180000, release_on: 'never', wanted_ms: 1000, victim: 'youngest', resolve: 'notify' },
    machine: 'bench',
    isDead: () => false,
    guard_command: 'guard',
  });
  const who = { id: name, kind: 'session', parent: null, session: name, proc: null };
  const paths = ['src/' + name + '.ts'];
  const how = { mode: 'exclusive', ttl_ms: null, all: false, wait_until_mono_ms: null };
  let [done, busy, slowest] = [0, 0, 0];
  const step = (event) => {
    const start = process.hrtime.bigint();
    try {
      operate(store, event, facts());
      done += 1;
    } catch (error) {
      if (error.code !== 'GUARD_ERR_BUSY') throw error;
      busy += 1;
    }
    slowest = Math.max(slowest, Number(process.hrtime.bigint() - start) / 1e6);
  };
  do {
    step({ type: 'lock.acquire', who, paths, ...how });
    step({ type: 'lock.release', who, paths, all: false });
  } while (warm === 'warm' && Date.now() < Number(end));
  fs.writeSync(1, JSON.stringify({ done, busy, slowest, held }) + '\\n');
`,
);

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
const ms = (us) => (us / 1000).toFixed(2);

function agent(dir, name, end, face) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, library, dir, name, String(end), face], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`code ${code}`))));
  });
}

async function many(dir, face, count) {
  const end = Date.now() + SECONDS * 1000;
  const results = [];
  const one = async (_, n) => {
    do results.push(await agent(dir, `agent-${n}`, end, face));
    while (face === 'cold' && Date.now() < end);
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: count }, one));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const sum = (what) => results.reduce((all, result) => all + result[what], 0);
  const held = results.flatMap((result) => result.held).sort((a, b) => a - b);
  return {
    rate: (sum('done') / seconds).toFixed(0),
    busy: `${sum('busy')} of ${sum('done') + sum('busy')}`,
    slowest: Math.max(...results.map(({ slowest }) => slowest)).toFixed(0),
    held: `${ms(at(held, 0.5))} | ${ms(at(held, 0.99))} | ${ms(held.at(-1) ?? 0)}`,
  };
}

const { parts } = await buildParts(scratch);
const spinners = Array.from({ length: SPINNERS }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
if (SPINNERS > 0) await sleep(5_000);
console.log(`node ${process.version}, ${os.cpus().length} cores, ${root}\n`);
console.log(
  '| agents | | operations a second | busy | slowest ms | CPU ms under the lock: p50 | p99 | max | load |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
let repositories = 0;
for (const face of FACES) {
  for (const count of AGENTS) {
    const made = makeRepository(path.join(scratch, `repo-${++repositories}`), {
      records: 1000,
      leases: 0,
      parts,
    });
    const { rate, busy, slowest, held } = await many(made.state, face, count);
    const load = os.loadavg()[0].toFixed(1);
    console.log(`| ${count} | ${face} | ${rate} | ${busy} | ${slowest} | ${held} | ${load} |`);
  }
}
for (const one of spinners) one.kill('SIGKILL');
fs.rmSync(scratch, { recursive: true, force: true });
