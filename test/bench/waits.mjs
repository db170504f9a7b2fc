// The cost of waiting for a lock: N waiters for one file, idle and around one release, in one MCP server and as N processes of
// `guard lock wait`. CPU time and read system calls (/proc/<pid>/schedstat, io), because wall time says little on a busy machine.
//
//   npm run bench:waits                          5 and 10 waiters, about half a minute
//   GUARD_BENCH_WAITERS=5,10,20,40 GUARD_BENCH_SECONDS=10 GUARD_BENCH_FACES=server npm run bench:waits
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const WAITERS = numbers('GUARD_BENCH_WAITERS', '5,10');
const [SECONDS] = numbers('GUARD_BENCH_SECONDS', '3');
const FACES = (process.env.GUARD_BENCH_FACES ?? 'server,processes').split(',');
/** Time after the release in which its effects end. */
const AFTER_MS = 1_500;

const top = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const guard = path.join(top, 'bin/guard.cjs');
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-waits-'));
const root = path.join(base, 'repo');
const env = { PATH: process.env.PATH, HOME: base };
fs.mkdirSync(root);
execFileSync('git', ['init', '-q'], { cwd: root, env });
execFileSync(process.execPath, [guard, 'init'], { cwd: root, env, stdio: 'ignore' });

// Signs calls as the hook does, so that the server knows the caller.
await build({
  absWorkingDir: top,
  entryPoints: ['src/claude/events/sign-call.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: path.join(base, 'sign-call.mjs'),
  logLevel: 'error',
});
const { signed } = await import(pathToFileURL(path.join(base, 'sign-call.mjs')).href);
let calls = 0;
const signature = (agent, tool) =>
  signed({ agent, tool, id: `toolu_${(calls += 1)}` }, { wall_ms: Date.now() }, env);

/** CPU ms of all threads and read system calls, by process; processes that have ended are left out. */
function used(pids) {
  const found = new Map();
  for (const pid of pids) {
    try {
      let cpu_ms = 0;
      for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
        const [run] = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
        cpu_ms += Number(run) / 1e6;
      }
      const reads = Number(/syscr: (\d+)/.exec(fs.readFileSync(`/proc/${pid}/io`, 'latin1'))[1]);
      found.set(pid, { cpu_ms, reads });
    } catch {
      // The process has ended.
    }
  }
  return found;
}

function between(before, after) {
  const sum = { cpu_ms: 0, reads: 0 };
  for (const [pid, { cpu_ms, reads }] of after) {
    sum.cpu_ms += cpu_ms - before.get(pid).cpu_ms;
    sum.reads += reads - before.get(pid).reads;
  }
  return sum;
}

const state = path.join(root, '.git/guard');
function records() {
  const names = fs.readdirSync(state).filter((name) => name.startsWith('ledger-'));
  return names
    .flatMap((name) => fs.readFileSync(path.join(state, name), 'utf8').trim().split('\n'))
    .map(JSON.parse);
}
const count = (type) => records().filter((record) => record.type === type).length;

async function until(check) {
  while (!(await check())) await sleep(50);
}

function server() {
  const child = spawn(process.execPath, [guard, 'mcp'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const open = new Map();
  let rest = '';
  let last = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      open.get(id)?.(result);
      open.delete(id);
    }
  });
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve) => {
      last += 1;
      open.set(last, resolve);
      say({ id: last, method, params });
    });
  return {
    pid: child.pid,
    async begin() {
      const clientInfo = { name: 'bench', version: '1' };
      await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      say({ method: 'notifications/initialized' });
    },
    tool: (agent, name, given) =>
      ask('tools/call', { name, arguments: { ...given, _agent: signature(agent, name) } }),
    async end() {
      child.stdin.end();
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

const faces = {
  async server(waiters, file) {
    const one = server();
    await one.begin();
    const filepaths = [file];
    await one.tool('holder', 'lock_try', { filepaths });
    for (let n = 0; n < waiters; n++)
      void one.tool(`waiter-${n}`, 'lock_wait', { filepaths, timeout_seconds: 600 });
    return {
      pids: [one.pid],
      release: () => one.tool('holder', 'lock_release', { filepaths }),
      end: () => one.end(),
    };
  },
  async processes(waiters, file) {
    const run = (...args) => execFileSync(process.execPath, [guard, 'lock', ...args], { cwd: root, env });
    run('try', file, '--agent', 'holder');
    const children = Array.from({ length: waiters }, (_, n) =>
      spawn(process.execPath, [guard, 'lock', 'wait', file, '--agent', `waiter-${n}`, '--timeout', '600s'], {
        cwd: root,
        env,
        stdio: 'ignore',
      }),
    );
    return {
      pids: children.map(({ pid }) => pid),
      release: () => run('release', file, '--agent', 'holder'),
      async end() {
        for (const child of children) child.kill('SIGTERM');
        await Promise.all(
          children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))),
        );
      },
    };
  },
};

const load = () => os.loadavg()[0].toFixed(1);
console.log(`node ${process.version}, ${os.cpus().length} cores, load ${load()}\n`);
console.log(
  '| waiters | in | idle: CPU ms, reads per waiter and second | one release: CPU ms | reads | records | answered after ms | load |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const face of FACES) {
  for (const waiters of WAITERS) {
    const file = `${face}-${waiters}.ts`;
    const before = count('wait');
    const one = await faces[face](waiters, file);
    await until(() => count('wait') >= before + waiters);
    await sleep(1_000);
    const idle = used(one.pids);
    await sleep(SECONDS * 1_000);
    const start = used(one.pids);
    const written = records().length;
    const at = process.hrtime.bigint();
    await one.release();
    const answered_ms = Number(process.hrtime.bigint() - at) / 1e6;
    await sleep(AFTER_MS);
    // The waiter that got the lock may have ended; then it is not counted.
    const end = used(one.pids);
    const while_idle = between(idle, start);
    const around = between(start, end);
    const per = (what) => (while_idle[what] / SECONDS / waiters).toFixed(2);
    const cells = [
      `${waiters} | ${face} | ${per('cpu_ms')}, ${per('reads')}`,
      around.cpu_ms.toFixed(0),
      around.reads,
      records().length - written,
      answered_ms.toFixed(0),
      load(),
    ];
    console.log(`| ${cells.join(' | ')} |`);
    await one.end();
  }
}
fs.rmSync(base, { recursive: true, force: true });
