// The cost per edit of looking at the other checkouts when no other agent touched the file: in a cold process, from listing
// the checkouts to reporting nothing. `first`: the agent never edited this file; `later`: it did, and wrote its content.
// Run: node test/bench/neighbours.mjs   (RUNS=20, CHECKOUTS=3,11,51, BYTES=20000)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describeMachine } from './cold.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const runs = Number(process.env.RUNS ?? 20);
const counts = (process.env.CHECKOUTS ?? '3,11,51').split(',').map(Number);
const bytes = Number(process.env.BYTES ?? 20_000);
const base = fs.mkdtempSync(join(tmpdir(), 'guard-neighbours-'));

const LOOK = `
import { toldBefore } from './src/claude/beside/look.ts';
import { digestBytes } from './src/repo/digest.ts';
const [, , root, common_dir, agent] = process.argv;
const repo = { kind: 'git', root, common_dir, worktree: null, initialised: true, state_dir: common_dir + '/guard' };
const space = { repo, state_dir: common_dir + '/guard', config: { policy: { lease_scope: 'told' } }, cache: { get: () => () => undefined } };
const target = { real: root + '/a.txt', path: 'a.txt', kind: 'file', links: 1 };
const hook = { dry: false, who: { id: agent, parent: null }, home: space, now: { wall_ms: Date.now() }, input: { tool: 'Edit', tool_input: {}, tool_use_id: 'x' } };
// The hook has taken the digest of what is to be written before.
digestBytes(Buffer.alloc(20_000));
const cpu = process.cpuUsage();
const began = process.hrtime.bigint();
const said = toldBefore(hook, [{ target, space }]);
const ms = Number(process.hrtime.bigint() - began) / 1e6;
const { user, system } = process.cpuUsage(cpu);
if (said.stdout !== '') throw new Error(said.stdout);
process.stdout.write(JSON.stringify({ ms, cpu_ms: (user + system) / 1e3 }));
`;

const repository = (count) => {
  const dir = join(base, `r${count}`);
  const git = (...args) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=x', '-c', 'user.email=a@b', ...args], {
      stdio: 'ignore',
    });
  fs.mkdirSync(dir);
  git('init', '-q');
  fs.writeFileSync(join(dir, 'a.txt'), 'a line of it\n'.repeat(bytes / 13));
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  for (let nth = 1; nth < count; nth++) git('worktree', 'add', '-q', `${dir}-w${nth}`);
  return dir;
};

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

try {
  const bundled = await build({
    ...{ bundle: true, platform: 'node', target: 'node20.19', format: 'cjs', minify: true, write: false },
    ...{ absWorkingDir: root, stdin: { contents: LOOK, resolveDir: root, loader: 'ts' } },
    define: { 'import.meta.filename': '__filename' },
  });
  // As in a package, with its native code next to it.
  fs.mkdirSync(join(base, 'dist'));
  fs.cpSync(join(root, 'native'), join(base, 'native'), { recursive: true });
  const program = join(base, 'dist/look.cjs');
  fs.writeFileSync(program, bundled.outputFiles[0].text);
  const dirs = counts.map((count) => [count, repository(count)]);
  const look = (dir, agent) =>
    JSON.parse(
      execFileSync(process.execPath, [program, dir, join(dir, '.git'), agent], { encoding: 'utf8' }),
    );
  const found = new Map(
    counts.flatMap((count) => [
      [`${count} first`, []],
      [`${count} later`, []],
    ]),
  );
  for (let run = 0; run < runs; run++)
    for (const [count, dir] of dirs) {
      found.get(`${count} first`).push(look(dir, `agent-${run}`));
      fs.appendFileSync(join(dir, 'a.txt'), 'mine\n');
      found.get(`${count} later`).push(look(dir, `agent-${run}`));
      fs.writeFileSync(join(dir, 'a.txt'), 'a line of it\n'.repeat(bytes / 13));
    }
  describeMachine();
  for (const [name, each] of found) {
    const [ms, cpu] = [each.map((one) => one.ms), each.map((one) => one.cpu_ms)];
    const figures = [Math.min(...ms), median(ms), Math.min(...cpu), median(cpu)].map((one) => one.toFixed(2));
    console.log(
      `${name.padEnd(12)} ms ${figures[0]} / ${figures[1]}, CPU ms ${figures[2]} / ${figures[3]}   (least / median)`,
    );
  }
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
