// What noticing adds to the hooks of Bash, by the number of watched files: node test/bench/noticing.mjs [rounds]
// A ledger with one holder of N files, and another agent whose Pre and Post of `true` are timed, interleaved with an empty process.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist');
const ROUNDS = Number(process.argv[2] ?? 15);

function bench(files) {
  const base = mkdtempSync(join(tmpdir(), 'guard-notice-'));
  const root = join(base, 'repo');
  const env = { PATH: process.env.PATH, HOME: join(base, 'home'), GUARD_SKIP: '' };
  delete env.GUARD_SKIP;
  mkdirSync(root);
  mkdirSync(env.HOME);
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync(process.execPath, [join(DIST, 'cli/cli.mjs'), 'init'], { cwd: root, env });
  const names = Array.from({ length: files }, (_, n) => `d${n % 40}/f${n}.ts`);
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), `line ${name}\n`.repeat(300));
  }
  const lock = (some) =>
    execFileSync(process.execPath, [join(DIST, 'cli/cli.mjs'), 'lock', 'try', '--agent', 'holder', ...some], { cwd: root, env });
  for (let at = 0; at < files; at += 200) lock(names.slice(at, at + 200));
  const hook = (event, tool_use_id, more = {}) => {
    const input = JSON.stringify({
      session_id: 's1', transcript_path: '/x', cwd: root, hook_event_name: event, tool_name: 'Bash',
      tool_input: { command: 'true' }, tool_use_id, ...more,
    });
    const begin = process.hrtime.bigint();
    const done = spawnSync(process.execPath, [join(DIST, 'hook.cjs')], { cwd: root, env, input });
    if (done.status !== 0) throw new Error(String(done.stderr));
    return Number(process.hrtime.bigint() - begin) / 1e6;
  };
  const empty = () => {
    const begin = process.hrtime.bigint();
    spawnSync(process.execPath, ['-e', ''], { env });
    return Number(process.hrtime.bigint() - begin) / 1e6;
  };
  const times = { empty: [], pre: [], post: [] };
  for (let n = 0; n < ROUNDS + 3; n++) {
    const row = { empty: empty(), pre: hook('PreToolUse', `t${n}`), post: hook('PostToolUse', `t${n}`, { tool_response: { stdout: '' } }) };
    // The first rounds digest what is there.
    if (n >= 3) for (const [name, ms] of Object.entries(row)) times[name].push(ms);
  }
  rmSync(base, { recursive: true });
  const least = (list) => Math.min(...list);
  const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  const over = (name, of) => `${(of(times[name]) - of(times.empty)).toFixed(1)}`;
  console.log(
    `${String(files).padStart(5)} files: empty node ${least(times.empty).toFixed(1)} ms; above it, least / median: ` +
      `PreToolUse ${over('pre', least)} / ${over('pre', median)}, PostToolUse ${over('post', least)} / ${over('post', median)}`,
  );
}

for (const files of [0, 10, 100, 1_000]) bench(files);
console.log(`load ${loadavg().map((one) => one.toFixed(1)).join(' ')}, node ${process.version}`);
