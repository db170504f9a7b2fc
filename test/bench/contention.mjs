// Many agents on one ledger, each with its own file, in three variants:
//   warm  lock and release in long-lived processes, one step after another, as servers do
//   cold  `guard lock try` and `guard lock release`, one process each
//   hook  PreToolUse and PostToolUse of an Edit, as the client starts them; the edit takes the lock
// Reports operations per second, CPU time per operation, GUARD_ERR_BUSY failures, GUARD_ERR_DEADLINE failures, the slowest operation,
// and the CPU time that a process spends between taking and releasing the ledger's lock (process.cpuUsage: all of its threads,
// so V8's own work is included). Cold processes run the installed form: the bundles of dist/, with V8's compiled code.
//
//   npm run bench:contention                                    16 and 32 agents, 5 s each
//   GUARD_BENCH_AGENTS=1,2,4,16 GUARD_BENCH_SECONDS=10 GUARD_BENCH_FACES=warm npm run bench:contention
//   GUARD_BENCH_ROOTS=.:<another checkout> GUARD_BENCH_ROUNDS=4 …  compares two built checkouts, in turn
//   GUARD_BENCH_OPERATIONS=20000 GUARD_BENCH_AGENTS=1,4 GUARD_BENCH_FACES=warm …   so many operations of each agent instead of a time;
//                                          the CPU time of each is that of the second half, without start and compilation
//   GUARD_BENCH_SPINNERS=50 npm run bench:contention              adds that many processes that only burn CPU
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { buildParts } from './ledger-parts.mjs';
import { makeRepository } from './ledger-repository.mjs';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const AGENTS = numbers('GUARD_BENCH_AGENTS', '16,32');
const [SECONDS] = numbers('GUARD_BENCH_SECONDS', '5');
const [SPINNERS] = numbers('GUARD_BENCH_SPINNERS', '0');
const [ROUNDS] = numbers('GUARD_BENCH_ROUNDS', '1');
const [OPERATIONS] = numbers('GUARD_BENCH_OPERATIONS', '0');
const FACES = (process.env.GUARD_BENCH_FACES ?? 'warm,cold,hook').split(',');
const own = path.join(import.meta.dirname, '../..');
const ROOTS = (process.env.GUARD_BENCH_ROOTS ?? own).split(':').map((root) => path.resolve(root));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-contention-'));

// Measures from flock(2) to the close of its descriptor; observing both from here leaves the measured code unchanged.
const watcher = path.join(scratch, 'watcher.cjs');
fs.writeFileSync(
  watcher,
  `
  const fs = require('node:fs');
  const [held, waits] = [[], []];
  let [begun, since] = [];
  const dlopen = process.dlopen;
  process.dlopen = (module, file, ...rest) => {
    dlopen.call(process, module, file, ...rest);
    const { take } = module.exports;
    if (typeof take !== 'function') return;
    const watched = (fd, operation) => {
      const got = take(fd, operation);
      since ??= performance.now();
      if (got !== 0) return got;
      waits.push(performance.now() - since);
      since = undefined;
      begun = { fd, at: process.cpuUsage() };
      return got;
    };
    module.exports = { ...module.exports, take: watched };
  };
  const close = fs.closeSync;
  fs.closeSync = (fd) => {
    close(fd);
    if (begun?.fd !== fd) return;
    const { user, system } = process.cpuUsage(begun.at);
    held.push(user + system);
    begun = undefined;
  };
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    fs.appendFileSync(process.env.GUARD_BENCH_HELD, JSON.stringify({ held, waits, used: user + system }) + '\\n');
  });
`,
);

const LIBRARY = `
  export { openRemembered, openStore } from './src/store/open.ts';
  export { operate } from './src/store/operate.ts';
  export { openClock } from './src/repo/clock.ts';
`;

const LIVING = `
  const [, , library, dir, name, end, operations] = process.argv;
  const { openRemembered, openStore, operate, openClock } = require(library);
  const now = openClock();
  const remembered = openRemembered();
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
  const half = Math.floor(operations / 4);
  let [done, busy, slowest_ms, pairs, begun] = [0, 0, 0, 0];
  const step = (event) => {
    const start = process.hrtime.bigint();
    try {
      // Like guard mcp: a store for each call, and its patience.
      operate(openStore({ dir, now, lock_deadline_ms: 10000, remembered }), event, facts());
      done += 1;
    } catch (error) {
      if (error.code !== 'GUARD_ERR_BUSY') throw error;
      busy += 1;
    }
    slowest_ms = Math.max(slowest_ms, Number(process.hrtime.bigint() - start) / 1e6);
  };
  do {
    if (pairs++ === half) begun = process.cpuUsage();
    step({ type: 'lock.acquire', who, paths, ...how });
    step({ type: 'lock.release', who, paths, all: false });
  } while (half > 0 ? pairs < 2 * half : Date.now() < Number(end));
  const { user, system } = process.cpuUsage(begun);
  const steady_us = half > 0 ? (user + system) / half / 2 : 0;
  fs.writeSync(1, JSON.stringify({ done, busy, late: 0, slowest_ms, steady_us }));
`;
const living = path.join(scratch, 'living.cjs');
fs.writeFileSync(living, `const fs = require('node:fs');${LIVING}`);

/** One bundled file, like a server; it looks for the native lock next to dist/. */
async function libraryOf(root, nth) {
  const outfile = path.join(scratch, `library-${nth}.cjs`);
  await build({
    ...{ stdin: { contents: LIBRARY, resolveDir: root, loader: 'ts' }, absWorkingDir: root, bundle: true },
    ...{ platform: 'node', format: 'cjs', target: 'node20.19', minify: true, outfile, logLevel: 'error' },
    define: { 'import.meta.filename': JSON.stringify(path.join(root, 'dist/bench.cjs')) },
  });
  return outfile;
}

function run(args, { cwd, env, input = '' }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--require', watcher, ...args], { cwd, env });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => resolve({ code, text }));
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** The repeated operations that run as separate processes: arguments and input. */
const PAIRS = {
  cold: ({ guard, file, name }) =>
    ['try', 'release'].map((verb) => ({ args: [guard, 'lock', verb, file, '--agent', name], input: '' })),
  hook({ hook, file, name, cwd, nth }) {
    const call = {
      tool_name: 'Edit',
      tool_input: { file_path: file, old_string: 'x', new_string: 'x', replace_all: false },
      tool_use_id: `e${nth}`,
    };
    const told = { filePath: file, oldString: 'x', newString: 'x', originalFile: 'x\n', structuredPatch: [] };
    return [{}, { tool_response: told }].map((more, at) => ({
      args: [hook, 'guard'],
      input: JSON.stringify({
        ...{ session_id: name, cwd, transcript_path: `${process.env.HOME}/.claude/projects/b/${name}.jsonl` },
        ...{ hook_event_name: ['PreToolUse', 'PostToolUse'][at], ...call, ...more },
      }),
    }));
  },
};

async function coldAgent(at, pairOf, end) {
  const result = { done: 0, busy: 0, late: 0, slowest_ms: 0 };
  for (let nth = 0; nth === 0 || Date.now() < end; nth++)
    for (const { args, input } of pairOf({ ...at, nth })) {
      const start = process.hrtime.bigint();
      const { code, text } = await run(args, { ...at, input });
      result.slowest_ms = Math.max(result.slowest_ms, Number(process.hrtime.bigint() - start) / 1e6);
      const [failed] = /GUARD_ERR_\w+|"deny"/.exec(text) ?? (code === 0 ? [] : ['?']);
      if (failed === undefined) result.done += 1;
      else if (failed === 'GUARD_ERR_BUSY') result.busy += 1;
      else if (failed === 'GUARD_ERR_DEADLINE') result.late += 1;
      else throw new Error(`exit ${code}: ${text}`);
    }
  return result;
}

async function warmAgent({ library, state, name, cwd, env }, end) {
  const { code, text } = await run([living, library, state, name, String(end), String(OPERATIONS)], {
    cwd,
    env,
  });
  if (code !== 0) throw new Error(text);
  return JSON.parse(text);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
const ms = (us) => (us / 1000).toFixed(2);

async function many({ root, library, repository }, face, count) {
  const GUARD_BENCH_HELD = path.join(scratch, 'held');
  fs.writeFileSync(GUARD_BENCH_HELD, '');
  const end = Date.now() + SECONDS * 1000;
  const start = process.hrtime.bigint();
  const { cwd, state } = repository;
  const results = await Promise.all(
    Array.from({ length: count }, (_, nth) => {
      const name = `agent-${nth}`;
      const file = path.join(cwd, `${name}.txt`);
      fs.writeFileSync(file, 'x\n');
      const env = { ...repository.env, GUARD_BENCH_HELD };
      // Commands with `--agent` run outside any session.
      if (face === 'cold') delete env.CLAUDE_CODE_SESSION_ID;
      const [guard, hook] = ['bin/guard.cjs', 'dist/hook.cjs'].map((program) => path.join(root, program));
      const agent = { guard, hook, library, cwd, state, name, file, env };
      return face === 'warm' ? warmAgent(agent, end) : coldAgent(agent, PAIRS[face], end);
    }),
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const sum = (what) => results.reduce((all, result) => all + result[what], 0);
  const told = fs.readFileSync(GUARD_BENCH_HELD, 'utf8').trim().split('\n').map(JSON.parse);
  const held = told.flatMap((one) => one.held).sort((a, b) => a - b);
  const waits = told.flatMap((one) => one.waits).sort((a, b) => a - b);
  const used_us = told.reduce((all, { used }) => all + used, 0);
  const all = sum('done') + sum('busy') + sum('late');
  return [
    (sum('done') / seconds).toFixed(0),
    ms(OPERATIONS > 0 && face === 'warm' ? sum('steady_us') / results.length : used_us / all),
    `${sum('busy')} of ${all}`,
    `${sum('late')} of ${all}`,
    Math.max(...results.map(({ slowest_ms }) => slowest_ms)).toFixed(0),
    ...[0.5, 0.99, 1].map((share) => at(waits, share).toFixed(1)),
    ...[0.5, 0.99, 1].map((share) => ms(at(held, share))),
  ];
}

const { parts } = await buildParts(scratch);
const libraries = await Promise.all(ROOTS.map(libraryOf));
const spinners = Array.from({ length: SPINNERS }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.on('exit', () => spinners.forEach((one) => one.kill('SIGKILL')));
if (SPINNERS > 0) await sleep(5_000);
console.log(`node ${process.version}, ${os.cpus().length} cores, ${ROOTS.join(', ')}\n`);
console.log(
  '| | agents | operations a second | CPU ms each | busy | out of time | slowest ms | ms waited for the lock: p50 | p99 | max | CPU ms under the lock: p50 | p99 | max | load |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|');
let repositories = 0;
for (let round = 0; round < ROUNDS; round++)
  for (const face of FACES)
    for (const count of AGENTS)
      for (let turn = 0; turn < ROOTS.length; turn++) {
        // Each checkout runs first in turn.
        const nth = (turn + round) % ROOTS.length;
        const root = ROOTS[nth];
        const base = path.join(scratch, `repo-${++repositories}`);
        const repository = makeRepository(base, { records: 1000, leases: 0, parts, preset: 'auto' });
        const cells = await many({ root, library: libraries[nth], repository }, face, count);
        const name = ROOTS.length > 1 ? `${face}, ${path.basename(root)}` : face;
        console.log(`| ${[name, count, ...cells, os.loadavg()[0].toFixed(1)].join(' | ')} |`);
      }
fs.rmSync(scratch, { recursive: true, force: true });
