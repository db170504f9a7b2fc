// The cost of taking the lock: CPU time (user and system, children included) of cold processes above an empty one of the
// same Node, interleaved in a rotated order, and of the whole hook that approves an Edit. Linux only.
//   node test/bench/flock.mjs [runs]
//   GUARD_BENCH_NODES=/a/node:/b/node     other Node binaries
//   GUARD_BENCH_PROVIDERS=/dir            a directory with koffi and fs-ext (fs-ext-extra-prebuilt) in node_modules
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const runs = Number(process.argv[2] ?? 30);
const nodes = (process.env.GUARD_BENCH_NODES ?? process.execPath).split(':');
const others = join(process.env.GUARD_BENCH_PROVIDERS ?? '/nonexistent', 'node_modules');
const dir = mkdtempSync(join(tmpdir(), 'guard-flock-'));
const lock = join(dir, 'lock');
writeFileSync(lock, '');

const OPEN = `const fd = require('node:fs').openSync(${JSON.stringify(lock)}, 'r+');`;
const LOCKS = {
  native: `const m = { exports: {} }; process.dlopen(m, ${JSON.stringify(join(root, `native/guard-linux-${process.arch}.node`))}); if (m.exports.take(fd, 6) !== 0) throw 1;`,
  'flock program': `if (require('node:child_process').spawnSync('/usr/bin/flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd], env: {} }).status !== 0) throw 1;`,
};
if (existsSync(join(others, 'koffi')))
  LOCKS.koffi = `const k = require(${JSON.stringify(join(others, 'koffi'))}); if (k.load('libc.so.6').func('int flock(int, int)')(fd, 6) !== 0) throw 1;`;
if (existsSync(join(others, 'fs-ext')))
  LOCKS['fs-ext'] =
    `const m = { exports: {} }; process.dlopen(m, ${JSON.stringify(join(others, 'fs-ext'))} + '/binaries/fs-ext-linux-' + process.arch + '-node-' + process.versions.node.split('.')[0] + '.0.0.node'); m.exports.flock(fd, 6);`;

const program = join(dir, 'guard');
for (const part of ['bin', 'dist', 'hooks', 'native', 'package.json'])
  cpSync(join(root, part), join(program, part), { recursive: true });
const repo = join(dir, 'repo');
const env = { PATH: process.env.PATH, HOME: join(dir, 'home'), CLAUDE_PROJECT_DIR: repo };
mkdirSync(repo);
mkdirSync(env.HOME);
execFileSync('git', ['init', '-q'], { cwd: repo });
writeFileSync(join(repo, 'a.txt'), 'x\n'.repeat(500));
const guard = (...args) =>
  execFileSync(process.execPath, [join(program, 'bin/guard.cjs'), ...args], {
    cwd: repo,
    env,
    stdio: 'ignore',
  });
guard('init', '--scope', 'local');
guard('lock', 'try', 'a.txt', '--agent', 'claude-bench');
let calls = 0;
const event = () =>
  JSON.stringify({
    session_id: 'bench',
    cwd: repo,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: join(repo, 'a.txt'), old_string: 'x', new_string: 'x', replace_all: true },
    tool_use_id: `b${++calls}`,
  });

/** User and system time of all reaped children, in ms; the kernel sums in ns and reports ticks of 10 ms. */
const spent = () => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
};

function scenarios(node) {
  const script = (name, text) => {
    const file = join(dir, `${name.replace(' ', '-')}.cjs`);
    writeFileSync(file, text);
    return () => spawnSync(node, [file], { env });
  };
  const hook = (provider) => () =>
    spawnSync(node, [join(program, 'dist/hook.cjs')], {
      cwd: repo,
      input: event(),
      env: { ...env, GUARD_FLOCK: provider },
    });
  return {
    empty: script('empty', ''),
    'open only': script('open', OPEN),
    ...Object.fromEntries(Object.entries(LOCKS).map(([name, text]) => [name, script(name, OPEN + text)])),
    'hook, native': hook('native'),
    'hook, flock program': hook('flock'),
  };
}

for (const node of nodes) {
  const all = Object.entries(scenarios(node));
  const failed = new Set();
  const sums = new Map(all.map(([name]) => [name, 0]));
  for (const [name, run] of all)
    for (let warm = 0; warm < 2; warm++) if (run().status !== 0) failed.add(name);
  for (let round = 0; round < runs; round++)
    for (let at = 0; at < all.length; at++) {
      const [name, run] = all[(at + round) % all.length];
      if (failed.has(name)) continue;
      const before = spent();
      run();
      sums.set(name, sums.get(name) + spent() - before);
    }
  const empty = sums.get('empty') / runs;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`\n${version}: an empty process ${empty.toFixed(1)} ms CPU; above it, mean of ${runs}:`);
  for (const [name, sum] of sums)
    if (name !== 'empty')
      console.log(
        `  ${name.padEnd(22)}${failed.has(name) ? 'does not run' : (sum / runs - empty).toFixed(1)}`,
      );
}
rmSync(dir, { recursive: true, force: true });
