// The cost of the ledger by its length, by the number of leases, and by the number of concurrent processes. Every
// round runs each variant once, in turn, including an empty process, so that a noisy moment affects all of them
// equally.
//
//   npm run bench:ledger                      small sizes, a minute
//   GUARD_BENCH_RECORDS=0,1000,100000,1000000 GUARD_BENCH_LEASES=10,1000,10000 GUARD_BENCH_ROUNDS=25 npm run bench:ledger
//   GUARD_BENCH_KEYS=1000000                  number of keys of the records, at most
//   GUARD_BENCH_RESERVATIONS=100,1000         number of live reservations
//   GUARD_BENCH_PROCESSES=1,8,32              number of concurrent processes
//   GUARD_BENCH_PARTS=records,recovery        only these parts
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildParts } from './ledger-parts.mjs';
import { makeRepository } from './ledger-repository.mjs';
import { timed } from './timed.mjs';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const RECORDS = numbers('GUARD_BENCH_RECORDS', '0,1000,20000');
const LEASES = numbers('GUARD_BENCH_LEASES', '10,1000');
const RESERVATIONS = numbers('GUARD_BENCH_RESERVATIONS', '1000');
const PROCESSES = numbers('GUARD_BENCH_PROCESSES', '1,8,32');
const [ROUNDS] = numbers('GUARD_BENCH_ROUNDS', '12');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-ledger-'));
const { program, parts } = await buildParts(scratch);
const empty = path.join(scratch, 'empty.cjs');
fs.writeFileSync(empty, '');

/** The same for all variants: a variable like NODE_EXTRA_CA_CERTS costs every process tens of milliseconds. */
const env = { PATH: process.env.PATH, HOME: scratch };
const ms = (begin) => Number(process.hrtime.bigint() - begin) / 1e6;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const load = () => os.loadavg()[0].toFixed(1);

function cold(args, options = {}) {
  const begin = process.hrtime.bigint();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env, ...options });
  const took = ms(begin);
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}${stdout}`);
  return took;
}

/** Runs `{ name: () => milliseconds }` in turn; the first is the baseline for the others. */
function interleaved(variants) {
  const names = Object.keys(variants);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -2; round < ROUNDS; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + names.length * 2) % names.length];
      const took = variants[name]();
      if (round >= 0) times.get(name).push(took);
    }
  }
  return times;
}

function table(title, times, base) {
  const floor = times.get('an empty process');
  const above = (name) => Math.min(...times.get(name)) - Math.min(...floor);
  console.log(`\n${title} (load ${load()})\n`);
  console.log(
    '| | min | median | min above empty | median above empty | whole process against the first row |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const [name, values] of times) {
    const reference = times.get(base(name) ?? name);
    const cells = [Math.min(...values), median(values), above(name), median(values) - median(floor)].map(
      (value) => value.toFixed(1),
    );
    const ratio = (Math.min(...values) / Math.min(...reference)).toFixed(2);
    console.log(`| ${name} | ${cells.join(' | ')} | ${ratio} |`);
  }
}

const repositories = new Map();
const repositoryOf = (records, leases) => {
  const key = `${records} ${leases}`;
  if (!repositories.has(key))
    repositories.set(
      key,
      makeRepository(path.join(scratch, `repo-${records}-${leases}`), { records, leases, parts }),
    );
  return repositories.get(key);
};

/** The same two operations on every repository, and an empty process. */
function onEach(repos) {
  const variants = { 'an empty process': () => cold([empty]) };
  for (const [label, repo] of repos) {
    variants[`acquire and release, ${label}`] = () =>
      cold([program, repo.state, 'claude-other', 'src/bench.ts']);
    variants[`PreToolUse Edit, ${label}`] = () => repo.edit(cold);
  }
  const [first] = repos;
  table(`Cold processes, milliseconds, ${ROUNDS} rounds`, interleaved(variants), (name) => {
    const [what] = name.split(', ');
    return first !== undefined && name.includes(', ') ? `${what}, ${first[0]}` : undefined;
  });
}

/** Globs in other directories, and globs that every path has to be compared with. */
function reservations() {
  const repo = (name, reserved) =>
    makeRepository(path.join(scratch, name), { records: 1000, leases: 0, reserved, parts });
  const repos = [['no reservations', repo('reserved-none', [0, String])]];
  for (const count of RESERVATIONS) {
    repos.push([
      `${count} elsewhere`,
      repo(`reserved-${count}`, [count, (n) => `area-${n % 40}/part-${n}/**`]),
    ]);
    repos.push([`${count} everywhere`, repo(`reserved-wide-${count}`, [count, (n) => `**/dir-${n}/*.md`])]);
  }
  const variants = { 'an empty process': () => cold([empty]) };
  for (const [label, one] of repos) {
    variants[`PreToolUse Edit, ${label}`] = () => one.edit(cold);
    variants[`guard reserve, ${label}`] = () => one.reserve(cold);
  }
  table(`Live reservations, milliseconds, ${ROUNDS} rounds`, interleaved(variants), (name) => {
    const [what] = name.split(', ');
    return name.includes(', ') ? `${what}, no reservations` : undefined;
  });
}

/** Milliseconds until all of `count` processes that start simultaneously have ended. */
async function together(count, argsOf) {
  const begin = process.hrtime.bigint();
  const ends = Array.from({ length: count }, (_, at) => {
    const child = spawn(process.execPath, argsOf(at), { env, stdio: ['ignore', 'ignore', 'inherit'] });
    return new Promise((resolve, reject) => {
      child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
    });
  });
  await Promise.all(ends);
  return ms(begin);
}

async function concurrency(repo) {
  console.log(`\nProcesses at once, milliseconds until the last one has ended (load ${load()})\n`);
  console.log(
    '| processes | empty, min | acquire and release, min | ratio of minima | empty, median | median |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const count of PROCESSES) {
    const [none, some] = [[], []];
    for (let round = 0; round < Math.max(3, Math.ceil(ROUNDS / 3)); round++) {
      none.push(await together(count, () => [empty]));
      some.push(await together(count, (at) => [program, repo.state, `claude-${at}`, `src/file-${at}.ts`]));
    }
    const cells = [Math.min(...none), Math.min(...some), median(none), median(some)].map((value) =>
      value.toFixed(0),
    );
    const ratio = (Math.min(...some) / Math.min(...none)).toFixed(2);
    console.log(`| ${count} | ${cells[0]} | ${cells[1]} | ${ratio} | ${cells[2]} | ${cells[3]} |`);
  }
}

/** The engine's own cost per commit, in one warm process. */
function durability() {
  console.log(`\nOne warm process, microseconds for a commit of one record (load ${load()})\n`);
  console.log('| durability | min | median |\n|---|---|---|');
  const commits = { process: [], fsync: [] };
  const stores = Object.keys(commits).map((durability) => [durability, parts.openStore(scratch, durability)]);
  for (let round = 0; round < 400; round++) {
    for (const [durability, commit] of stores) {
      const begin = process.hrtime.bigint();
      commit(round);
      if (round >= 50) commits[durability].push(ms(begin) * 1000);
    }
  }
  for (const [name, values] of Object.entries(commits))
    console.log(`| ${name} | ${Math.min(...values).toFixed(0)} | ${median(values).toFixed(0)} |`);
}

function begin() {
  const at = () => fs.mkdtempSync(path.join(scratch, 'cold-'));
  const args = (durability) => [program, at(), 'claude-first', 'src/bench.ts', durability];
  const variants = {
    'an empty process': () => cold([empty]),
    'the first acquire and release of a ledger': () => cold(args('process')),
    'the same with fsync': () => cold(args('fsync')),
  };
  table('A ledger that does not exist yet, milliseconds', interleaved(variants), () => undefined);
}

/** The cost of rebuilding the index, from the newest checkpoint and from the ledger alone. */
function recovery() {
  const times_each = Math.min(5, ROUNDS);
  console.log(
    `\nMaking the index again, milliseconds of CPU, fastest and median of ${times_each} (load ${load()})\n`,
  );
  console.log(
    '| records | keys | ledger | from the newest checkpoint | from the ledger alone |\n|---|---|---|---|---|',
  );
  for (const records of RECORDS.filter((count) => count > 0)) {
    const { state } = repositoryOf(records, 0);
    const times = [true, false].map((checkpoints) =>
      Array.from({ length: times_each }, () => parts.rebuild(state, checkpoints)).toSorted((a, b) => a - b),
    );
    const { bytes, keys } = parts.verify(state);
    const cells = times.map((values) => `${values[0].toFixed(0)}, ${median(values).toFixed(0)}`);
    console.log(`| ${records} | ${keys} | ${(bytes / 1e6).toFixed(0)} MB | ${cells.join(' | ')} |`);
  }
}

/** The cost of verifying and compacting a ledger, once each, as processes. */
function upkeep() {
  console.log(`\nUpkeep, milliseconds of CPU and of time (load ${load()})\n`);
  console.log('| records | guard verify | guard compact --all | guard verify after it |\n|---|---|---|---|');
  for (const records of RECORDS.filter((count) => count > 0)) {
    const { cwd, home } = repositoryOf(records, 0);
    const guard = path.join(import.meta.dirname, '../../bin/guard.cjs');
    const cells = ['verify', 'compact --all', 'verify'].map((words) => {
      const at = { cwd, env: { ...env, HOME: home } };
      const { cpu_ms, wall_ms } = timed(`'${process.execPath}' '${guard}' ${words}`, at);
      return `${cpu_ms.toFixed(0)}, ${wall_ms.toFixed(0)}`;
    });
    console.log(`| ${records} | ${cells.join(' | ')} |`);
  }
}

const SECTIONS = {
  records: () => onEach(RECORDS.map((records) => [`${records} records`, repositoryOf(records, 0)])),
  leases: () => onEach([0, ...LEASES].map((leases) => [`${leases} live leases`, repositoryOf(1000, leases)])),
  reservations,
  processes: () => concurrency(repositoryOf(RECORDS.at(-1), 0)),
  cold: begin,
  durability,
  recovery,
  upkeep,
};
const PARTS = process.env.GUARD_BENCH_PARTS?.split(',') ?? Object.keys(SECTIONS);

try {
  const cores = os.availableParallelism();
  const flock = parts.flockName();
  console.log(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${cores} cores, flock(2) by ${flock}`,
  );
  console.log(
    `hook ${execFileSync('wc', ['-c', path.join(import.meta.dirname, '../../dist/hook-main.cjs')], { encoding: 'utf8' }).split(' ')[0]} bytes`,
  );
  for (const part of PARTS) await SECTIONS[part]();
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
