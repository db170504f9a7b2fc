// The time that noticing adds to a command's hooks, by the number of files that others hold: node test/bench/noticing.mjs [processes]
// Uses a real repository and ledger. Timed inside fresh processes, each of which does once what a hook does, with code that
// has not run before. Wall times of whole hooks say nothing on a busy machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(ROOT, 'dist/cli/cli.mjs');
const PROCESSES = Number(process.argv[2] ?? 25);

const TIMED = `
import { heldPaths } from './src/claude/commands/live-holds.ts';
import { learnBaselines, learnHolds, readBook, writeBook } from './src/claude/commands/watch-book.ts';
import { differing } from './src/claude/commands/compare.ts';
import { changeWindow, putWindow, windowOf } from './src/claude/commands/open-windows.ts';
const [, , state_dir, root, agent, op] = process.argv;
const spelled = (path) => root + '/' + path;
const now_ms = Date.now();
const times = {};
const timed = (name, act) => {
  const begin = process.hrtime.bigint();
  const answer = act();
  times[name] = Number(process.hrtime.bigint() - begin) / 1e6;
  return answer;
};
const nobody = { supports: { shared: false }, still: () => { throw new Error('the cache of holds is old'); } };
const book = timed('read the book', () => readBook(state_dir, agent));
const held = timed('who holds what', () => heldPaths({ state_dir, store: nobody }, true));
timed('baselines and holds', () => {
  learnBaselines(book, { state_dir, agent, now_ms, spelled });
  learnHolds(book, held, { state_dir, agent, now_ms, spelled });
});
const look = () => differing(book, { now_ms, deadline: () => undefined, spelled, learns: false, keep: () => undefined });
timed('compare', look);
timed('compare again', look);
const window = { v: 1, agent, op, since_ms: now_ms, until_ms: null, task: null, in_background: false, targets: [], candidates: {} };
timed('open a window', () => putWindow(state_dir, window));
timed('close it', () => changeWindow(state_dir, { ...windowOf(state_dir, agent, op), until_ms: now_ms }));
timed('write the book', () => writeBook(state_dir, agent, book));
console.log(JSON.stringify({ times, files: book.files.size }));
`;

async function bench(files, timed) {
  const base = mkdtempSync(join(tmpdir(), 'guard-notice-'));
  const [root, home] = [join(base, 'repo'), join(base, 'home')];
  const env = { PATH: process.env.PATH, HOME: home };
  mkdirSync(root);
  mkdirSync(home);
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync(process.execPath, [CLI, 'init'], { cwd: root, env, stdio: 'ignore' });
  const names = Array.from({ length: files }, (_, n) => `d${n % 40}/f${n}.ts`);
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), `line ${name}\n`.repeat(300));
  }
  for (let at = 0; at < files; at += 200)
    execFileSync(process.execPath, [CLI, 'lock', 'try', '--agent', 'holder', ...names.slice(at, at + 200)], {
      cwd: root,
      env,
      stdio: 'ignore',
    });
  for (const n of [1, 2, 3]) {
    const input = { session_id: 's1', transcript_path: '/x', cwd: root, hook_event_name: 'PreToolUse' };
    const call = { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: `t${n}` };
    spawnSync(process.execPath, [join(ROOT, 'dist/hook.cjs')], {
      cwd: root,
      env,
      input: JSON.stringify({ ...input, ...call }),
    });
  }
  const rows = Array.from({ length: PROCESSES }, (_, n) => {
    const args = [timed, join(root, '.git/guard'), root, 'claude-s1', `p${n}`];
    return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
  });
  rmSync(base, { recursive: true });
  const of = (name) => rows.map(({ times }) => times[name]).toSorted((a, b) => a - b);
  const shown = Object.keys(rows[0].times).map((name) => {
    const sorted = of(name);
    return `${name} ${sorted[0].toFixed(2)} / ${sorted[sorted.length >> 1].toFixed(2)}`;
  });
  console.log(`${rows[0].files} files watched, ms, least / median: ${shown.join(', ')}`);
}

const dir = mkdtempSync(join(tmpdir(), 'guard-timed-'));
const timed = join(dir, 'timed.cjs');
await build({
  stdin: { contents: TIMED, resolveDir: ROOT, loader: 'ts' },
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
  logOverride: { 'empty-import-meta': 'silent' },
  outfile: timed,
});
for (const files of [0, 10, 100, 1_000]) await bench(files, timed);
rmSync(dir, { recursive: true });
console.log(
  `load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}, node ${process.version}`,
);
