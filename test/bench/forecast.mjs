// The cost of a forecast: 10,000 files, 1,000 commits, 50 worktrees, each 0 to 30 commits behind with 3 commits of 5 files, 3 dirty files and an
// untracked one, hot files preferred. Runs: the first (nothing cached), a second (every file is checked), and after one file changed, once with
// every file checked and once with --changed. CPU time including all git processes, because wall time says little on a busy machine.
//
//   npm run bench:forecast                       about two minutes
//   GUARD_BENCH_WORKTREES=10 GUARD_BENCH_FILES=2000 GUARD_BENCH_RUNS=3 npm run bench:forecast
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const number = (name, usual) => Number(process.env[name] ?? usual);
const WORKTREES = number('GUARD_BENCH_WORKTREES', 50);
const FILES = number('GUARD_BENCH_FILES', 10_000);
const RUNS = number('GUARD_BENCH_RUNS', 5);
const COMMITS = 1_000;
const LINES = 60;

const guard = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../bin/guard.cjs');
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-forecast-'));
const root = path.join(base, 'repo');
const name = ['user.name', 'user.email'].flatMap((key) => ['-c', `${key}=bench@localhost`]);
const env = { PATH: process.env.PATH, HOME: base };
const git = (cwd, ...args) => execFileSync('git', [...name, ...args], { cwd, env, maxBuffer: 1 << 28 });

let seed = 42;
const random = (below) => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % below;
const fileOf = (nth) => `d${nth % 20}/e${Math.floor(nth / 20) % 35}/f${nth}.txt`;
const hot = () => (random(3) === 0 ? random(FILES) : random(30));

function make() {
  fs.mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main');
  const texts = Array.from({ length: FILES }, (_, nth) =>
    Array.from({ length: LINES }, (_, line) => `line ${line} of ${nth}`),
  );
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const change = (nth) => `M 100644 inline ${fileOf(nth)}\n${data(`${texts[nth].join('\n')}\n`)}`;
  const stream = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    stream.push(`commit refs/heads/main\ncommitter b <b@b> ${1_700_000_000 + commit} +0000\n${data('c')}`);
    const changed = commit === 0 ? texts.keys() : Array.from({ length: 5 }, () => random(FILES));
    for (const nth of changed) {
      if (commit > 0) texts[nth][random(LINES)] = `changed in ${commit}`;
      stream.push(change(nth));
    }
  }
  spawnSync('git', ['fast-import', '--quiet'], { cwd: root, env, input: stream.join('') });
  git(root, 'reset', '-q', '--hard');
  for (let nth = 0; nth < WORKTREES; nth++) {
    const dir = path.join(base, 'worktrees', `w${nth}`);
    git(root, 'worktree', 'add', '-q', '-b', `b${nth}`, dir, `main~${random(31)}`);
    const edit = () => editOne(dir, fileOf(hot()), `by ${nth} ${random(1e6)}`);
    for (let commit = 0; commit < 3; commit++) {
      for (let count = 0; count < 5; count++) edit();
      git(dir, 'commit', '-qam', 'more');
    }
    for (let count = 0; count < 3; count++) edit();
    fs.writeFileSync(path.join(dir, `new${nth}.txt`), 'x\n');
  }
  spawnSync(process.execPath, [guard, 'init'], { cwd: root, env });
}

function editOne(dir, file, to) {
  const lines = fs.readFileSync(path.join(dir, file), 'utf8').split('\n');
  lines[random(LINES)] = to;
  fs.writeFileSync(path.join(dir, file), lines.join('\n'));
}

/** CPU time of ended children and their descendants, from /proc/self/stat. */
const childrenMs = () => {
  const fields = fs.readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
};

/** CPU time of guard and everything it started. */
function run(...args) {
  const before = childrenMs();
  const began = performance.now();
  const words = [guard, 'forecast', '--json', ...args];
  const { stdout } = spawnSync(process.execPath, words, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const wall = performance.now() - began;
  return { wall, cpu: childrenMs() - before, told: JSON.parse(stdout) };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${Math.round(value)} ms`.padStart(10);

try {
  make();
  const cold = run();
  const { pairs, trunk } = cold.told;
  console.log(
    `${FILES} files, ${WORKTREES} worktrees: ${pairs.length} pairs conflict, ${trunk.length} with the trunk`,
  );
  const edited = () => {
    const file = path.join(base, 'worktrees/w1', fileOf(3));
    editOne(path.join(base, 'worktrees/w1'), fileOf(3), `again ${random(1e6)}`);
    return file;
  };
  const rows = [['first', [cold]]];
  const kinds = {
    again: () => run(),
    'one file changed': () => (edited(), run()),
    'one file, --changed': () => run('--changed', edited()),
  };
  const found = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let nth = 0; nth < RUNS; nth++) for (const kind of Object.keys(kinds)) found[kind].push(kinds[kind]());
  rows.push(...Object.entries(found));
  console.log(
    `${''.padEnd(22)}${'wall'.padStart(10)}${'CPU'.padStart(10)}   load ${os.loadavg()[0].toFixed(1)}`,
  );
  for (const [kind, all] of rows)
    console.log(
      kind.padEnd(22) + ms(median(all.map(({ wall }) => wall))) + ms(median(all.map(({ cpu }) => cpu))),
    );
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
