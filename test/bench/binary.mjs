// The cost of the standalone binary compared with the same Node running the same program: bytes, and milliseconds of CPU and
// wall time per start. Every round runs each once, in turn.
//
//   npm run bench:binary                   GUARD_BENCH_ROUNDS=40 … rounds (default 20)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { timed } from './timed.mjs';

const root = path.join(import.meta.dirname, '../..');
const rounds = Number(process.env.GUARD_BENCH_ROUNDS ?? 20);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-'));
const [binary, cwd, home] = ['guard', 'repo', 'home'].map((name) => path.join(scratch, name));
const env = { PATH: process.env.PATH, HOME: home };
const guard = path.join(root, 'bin/guard.cjs');
fs.mkdirSync(home);
execFileSync('git', ['init', '-q', cwd]);
fs.writeFileSync(path.join(cwd, 'a.txt'), 'a\n');
execFileSync(process.execPath, [path.join(root, 'scripts/binary.mjs'), binary]);
const first = timed(`'${binary}' --version`, { cwd, env });
// Both run the files in the home, so they differ only in how they are started.
execFileSync(binary, ['init', '--scope', 'local'], { cwd, env, stdio: 'ignore' });
const kept = path.join(home, '.local/share/guard');
const event = JSON.stringify({
  ...{ session_id: 'bench', transcript_path: path.join(scratch, 'x.jsonl'), cwd, permission_mode: 'default' },
  ...{ hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_use_id: 'toolu_1' },
  tool_input: { file_path: path.join(cwd, 'a.txt'), old_string: 'a', new_string: 'b' },
});
const hook = (node) => `'${node}' '${kept}/dist/hook.cjs' guard || [ $? = 2 ]`;
const node = process.execPath;
const LINES = {
  'empty Node': `'${node}' -e ''`,
  'empty binary': `'${binary}' -e ''`,
  '--version, Node': `'${node}' '${guard}' --version`,
  '--version, binary': `'${binary}' --version`,
  'status, Node': `'${node}' '${guard}' status`,
  'status, binary': `'${binary}' status`,
  'PreToolUse Edit, Node': hook(node),
  'PreToolUse Edit, binary': hook(binary),
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const taken = Object.fromEntries(Object.keys(LINES).map((name) => [name, []]));
for (let round = -2; round < rounds; round++)
  for (const [name, line] of Object.entries(LINES)) {
    const one = timed(line, { cwd, env, input: event });
    if (round >= 0) taken[name].push(one);
  }

const mb = (file) => (fs.statSync(file).size / 1e6).toFixed(1);
console.log(`Node ${process.versions.node}: ${mb(node)} MB; the binary: ${mb(binary)} MB`);
console.log(
  `the first call, which unpacks: ${first.wall_ms.toFixed(0)} ms, ${first.cpu_ms.toFixed(0)} of processor`,
);
console.log(`${rounds} rounds, load ${os.loadavg()[0].toFixed(1)}`);
console.log('| | processor, median ms | least | wall, median ms | least |\n|---|---|---|---|---|');
for (const [name, values] of Object.entries(taken)) {
  const cells = ['cpu_ms', 'wall_ms'].flatMap((what) => {
    const all = values.map((one) => one[what]);
    return [median(all), Math.min(...all)].map((ms) => ms.toFixed(1));
  });
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}
fs.rmSync(scratch, { recursive: true, force: true });
