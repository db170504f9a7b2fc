// The cost of the calls that agents make all day, above an empty Node process of the same version. Every round runs each once,
// in turn. Wall time from process start to exit.
//
//   npm run bench:calls                    this Node
//   GUARD_BENCH_NODES=/a/node:/b/node …    other Node binaries, measured separately
//   GUARD_BENCH_ROUNDS=60 …                rounds (default 30)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const guard = path.join(import.meta.dirname, '../../bin/guard.cjs');
const rounds = Number(process.env.GUARD_BENCH_ROUNDS ?? 30);
const nodes = (process.env.GUARD_BENCH_NODES ?? process.execPath).split(':');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-'));
const cwd = path.join(scratch, 'repo');
const empty = path.join(scratch, 'empty.cjs');
const env = { PATH: process.env.PATH, HOME: path.join(scratch, 'home') };
fs.mkdirSync(env.HOME);
fs.writeFileSync(empty, '');
execFileSync('git', ['init', '-q', cwd]);
fs.writeFileSync(path.join(cwd, 'a.txt'), 'a\n');

const me = ['--agent', 'me'];
// The status line's input from the client; the other calls read no input.
const session = JSON.stringify({
  session_id: 'bench',
  cwd,
  workspace: { current_dir: cwd, project_dir: cwd },
});
const CALLS = {
  'empty Node': [empty],
  'lock try': [guard, 'lock', 'try', 'a.txt', ...me],
  'lock release': [guard, 'lock', 'release', 'a.txt', ...me],
  'lock status': [guard, 'lock', 'status', 'a.txt'],
  'message inbox': [guard, 'message', 'inbox', ...me],
  reserve: [guard, 'reserve', 'src/**', '--reason', 'x', ...me],
  status: [guard, 'status'],
  statusline: [guard, 'statusline'],
  '--help': [guard, '--help'],
};

function time(node, args) {
  const before = performance.now();
  execFileSync(node, args, { cwd, env, input: session, stdio: ['pipe', 'pipe', 'pipe'] });
  return performance.now() - before;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];

for (const node of nodes) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  execFileSync(node, [guard, 'init', '--scope', 'local'], { cwd, env, stdio: 'ignore' });
  const taken = Object.fromEntries(Object.keys(CALLS).map((name) => [name, []]));
  for (let round = -2; round < rounds; round++)
    for (const [name, args] of Object.entries(CALLS)) {
      const ms = time(node, args);
      if (round >= 0) taken[name].push(ms);
    }
  const floor = median(taken['empty Node']);
  console.log(`${version}, ${rounds} rounds, load ${os.loadavg()[0].toFixed(1)}`);
  console.log('| call | median ms | ratio | p95 ms | least ms |\n|---|---|---|---|---|');
  for (const [name, values] of Object.entries(taken)) {
    const ms = median(values);
    const row = [
      name,
      ms.toFixed(1),
      (ms / floor).toFixed(2),
      p95(values).toFixed(1),
      Math.min(...values).toFixed(1),
    ];
    console.log(`| ${row.join(' | ')} |`);
  }
}
fs.rmSync(scratch, { recursive: true, force: true });
