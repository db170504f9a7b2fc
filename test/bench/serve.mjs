// Requests per second that guard serve answers, and the latency of each: reads (check) and writes (reserve, release), over TCP and
// over the socket, with 1, 8 and 32 connections that send the next request at once, next to 1,000 live reservations.
//
//   npm run bench:serve                          about two minutes
//   GUARD_BENCH_SECONDS=1 GUARD_BENCH_RESERVATIONS=0,1000 GUARD_BENCH_CONNECTIONS=1,8,32 npm run bench:serve
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const [SECONDS] = numbers('GUARD_BENCH_SECONDS', '5');
const RESERVATIONS = numbers('GUARD_BENCH_RESERVATIONS', '0,1000');
const CONNECTIONS = numbers('GUARD_BENCH_CONNECTIONS', '1,8,32');
/** One agent may have 64 reservations. */
const PER_AGENT = 50;

const guard = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../bin/guard.cjs');
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-serve-'));
const root = path.join(base, 'repo');
const env = { PATH: process.env.PATH, HOME: base };
fs.mkdirSync(root);
execFileSync('git', ['init', '-q'], { cwd: root, env });
execFileSync(process.execPath, [guard, 'init'], { cwd: root, env, stdio: 'ignore' });

const server = spawn(process.execPath, [guard, 'serve', '--json', '--port', '0'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const place = JSON.parse(await new Promise((resolve) => server.stdout.once('data', resolve)));
const token = fs.readFileSync(place.token_file, 'utf8').trim();
const { hostname, port } = new URL(place.url);

const ways = {
  TCP: { host: hostname, port, headers: { authorization: `Bearer ${token}` } },
  socket: { socketPath: place.socket, headers: {} },
};

function ask(way, agent, keepAlive, method, target, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { ...way.headers, 'x-agent-id': agent };
  if (text !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = Buffer.byteLength(text);
  }
  return new Promise((resolve, reject) => {
    const request = http.request({ ...way, method, path: target, headers, agent: keepAlive }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const told = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode >= 400) reject(new Error(`${response.statusCode}: ${told}`));
        else resolve(told === '' ? null : JSON.parse(told));
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}

/** The measured operations, one request each. */
const kinds = {
  async check(asked) {
    await asked.timed('GET', '/api/reservations/check?pattern=src/free/x.ts&exclusive=true');
  },
  async 'reserve, release'(asked) {
    const pattern = `own/${asked.agent}/**`;
    const { id } = await asked.timed('POST', '/api/reservations', { path_pattern: pattern, reason: 'bench' });
    await asked.timed('DELETE', `/api/reservations/${id}`);
  },
};

async function measured(way, connections, kind) {
  const took = [];
  const begun = process.hrtime.bigint();
  const end = begun + BigInt(SECONDS * 1e9);
  await Promise.all(
    Array.from({ length: connections }, async (_, number) => {
      const keepAlive = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const agent = `bench-${number}`;
      const timed = async (...request) => {
        const at = process.hrtime.bigint();
        const answer = await ask(way, agent, keepAlive, ...request);
        took.push(Number(process.hrtime.bigint() - at) / 1e6);
        return answer;
      };
      while (process.hrtime.bigint() < end) await kind({ agent, timed });
      keepAlive.destroy();
    }),
  );
  const passed_s = Number(process.hrtime.bigint() - begun) / 1e9;
  const sorted = took.toSorted((a, b) => a - b);
  const part = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  return `${Math.round(took.length / passed_s)} | ${part(0.5)} | ${part(0.99)}`;
}

async function reserveMany(from, to) {
  const keepAlive = new http.Agent({ keepAlive: true });
  for (let number = from; number < to; number++) {
    const agent = `holder-${Math.floor(number / PER_AGENT)}`;
    const body = { path_pattern: `src/area-${number}/**/*.ts`, reason: 'bench', ttl_minutes: 600 };
    await ask(ways.socket, agent, keepAlive, 'POST', '/api/reservations', body);
  }
  keepAlive.destroy();
}

console.log(`node ${process.version}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}\n`);
console.log('| live reservations | request | over | connections | requests a second | p50 ms | p99 ms |');
console.log('|---|---|---|---|---|---|---|');
let live = 0;
for (const wanted of RESERVATIONS) {
  await reserveMany(live, wanted);
  live = wanted;
  for (const [what, kind] of Object.entries(kinds))
    for (const [over, way] of Object.entries(ways))
      for (const connections of CONNECTIONS)
        console.log(
          `| ${live} | ${what} | ${over} | ${connections} | ${await measured(way, connections, kind)} |`,
        );
}
server.kill('SIGTERM');
await new Promise((resolve) => server.once('exit', resolve));
fs.rmSync(base, { recursive: true, force: true });
