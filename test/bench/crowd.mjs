// How much other agents slow one down: each operation on a ledger with one agent, on one where AGENTS others hold
// RESERVATIONS patterns, and on one where they have locked that many files. CPU time (user and system), medians; the three
// alternate. First in this process, as in a server, then as separate processes.
//   node test/bench/crowd.mjs [agents] [count] [rounds]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventText } from './client-event.mjs';
import { buildParts } from './ledger-parts.mjs';
import { makeRepository } from './ledger-repository.mjs';

const [AGENTS = 500, COUNT = 10_000, ROUNDS = 15] = process.argv.slice(2).map(Number);
const EACH = COUNT / AGENTS;
const root = path.join(import.meta.dirname, '../..');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-crowd-'));
const { parts } = await buildParts(scratch);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const place = (n) => `src/package-${n % 40}/module-${n}`;
const agentOf = (n) => `claude-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const each = (work) => {
  for (let n = 0; n < AGENTS; n++)
    work(
      agentOf(n),
      Array.from({ length: EACH }, (_, at) => n * EACH + at),
    );
};
const FILLED = {
  alone: () => undefined,
  [`${AGENTS} agents, ${COUNT} reservations`]: (store) =>
    each((agent, numbers) =>
      parts.reserveAll(
        store,
        agent,
        numbers.map((n) => `${place(n)}/**`),
      ),
    ),
  [`${AGENTS} agents, ${COUNT} locks`]: (store) =>
    each((agent, numbers) =>
      parts.lockAll(
        store,
        agent,
        numbers.map((n) => `${place(n)}/file.ts`),
      ),
    ),
};

const repositories = Object.entries(FILLED).map(([name, fill], at) => {
  const made = makeRepository(path.join(scratch, `repo-${at}`), { records: 0, leases: 0, parts });
  // The compiled form of the hook is kept by the first Edit.
  made.edit(cpuOf);
  const begin = process.hrtime.bigint();
  fill(parts.open(made.state));
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  console.error(
    `${name}: filled in ${seconds.toFixed(0)} s, ${(parts.bytesOf(made.state) / 1e6).toFixed(1)} MB`,
  );
  return { name, state: made.state, made, remembered: parts.openRemembered() };
});
const names = repositories.map(({ name }) => name);

function table(title, rows) {
  console.log(`\n${title} (load ${os.loadavg()[0].toFixed(1)})\n`);
  console.log(`| | ${names.join(' | ')} | |\n|---|${'---|'.repeat(names.length + 1)}`);
  for (const [what, [base, ...others]] of rows) {
    const ratios = others.map((one) => (one / base).toFixed(2)).join(', ');
    console.log(`| ${what} | ${[base, ...others].map((one) => one.toFixed(2)).join(' | ')} | ${ratios} |`);
  }
}

/** Median CPU milliseconds of one call, as returned by `measure(repository, round)`. */
function interleaved(operations, measure, rounds) {
  return Object.entries(operations).map(([what, run]) => {
    const taken = repositories.map(() => []);
    for (let round = -2; round < rounds; round++)
      repositories.forEach((one, at) => {
        const took = measure(run, one, round);
        if (round >= 0) taken[at].push(took);
      });
    return [what, taken.map(median)];
  });
}

/** As a server does, it keeps the records that it has decoded. */
function warm(run, { state, remembered }, round) {
  const store = parts.open(state, remembered);
  const before = process.cpuUsage();
  run(store, round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const me = 'claude-bench';
let nth = 0;
table(
  `Milliseconds of CPU, in one process, ${ROUNDS} rounds`,
  interleaved(
    {
      reserve: (store) => parts.reserveAll(store, me, [`${place(COUNT + 7)}/part-${++nth % 40}/*.ts`]),
      'check, a free directory': (store) => parts.check(store, me, ['docs/**']),
      'check, a directory of theirs': (store) => parts.check(store, me, [`${place(7)}/**`]),
      'check, a wildcard': (store) => parts.check(store, me, ['**/*.md']),
      'lock and release': (store) => parts.lockAndRelease(store, me, `lib/file-${++nth}.ts`),
      'lock refused': (store) => parts.lockAndRelease(store, me, `${place(7)}/file.ts`),
      'my reservations': (store) => parts.listed(store, me, true),
      'all reservations': (store) => parts.listed(store, me, false),
      agents: (store) => parts.agents(store),
      status: (store) => parts.status(store),
    },
    warm,
    ROUNDS,
  ),
);

const bytes = repositories.map(({ state }) => {
  const store = parts.open(state);
  const grown = [1, 2].map((n) => {
    const before = parts.bytesOf(state);
    parts.reserveAll(store, `claude-new`, [`${place(COUNT + 50 + n)}/*.md`]);
    return parts.bytesOf(state) - before;
  });
  return grown;
});
table('Bytes of ledger', [
  ['the first grant of an agent', bytes.map(([first]) => first)],
  ['its second', bytes.map(([, second]) => second)],
]);

/** CPU time of a child, as the shell's `times` reports it. */
function cpuOf(args, { cwd, env, input }) {
  const line = '"$0" "$@" >/dev/null 2>&1; times';
  const { stdout } = spawnSync('bash', ['-c', line, process.execPath, ...args], {
    cwd,
    env,
    input,
    encoding: 'utf8',
  });
  const [, children] = stdout.trim().split('\n');
  return children
    .split(' ')
    .map((one) => /(\d+)m([\d.]+)s/.exec(one).slice(1).map(Number))
    .reduce((sum, [minutes, seconds]) => sum + minutes * 60_000 + seconds * 1000, 0);
}

const guard = path.join(root, 'bin/guard.cjs');
const hook = path.join(root, 'dist/hook.cjs');
const hooked = ({ cwd, home, env }, fields) =>
  cpuOf([hook], { cwd, env, input: eventText({ repo: cwd, home }, 'bench', fields) });
const command =
  (...args) =>
  ({ cwd, env }) =>
    cpuOf([guard, ...args, '--agent', me], { cwd, env });
table(
  `Milliseconds of CPU, processes of their own, ${ROUNDS} rounds`,
  interleaved(
    {
      'an empty Node': ({ cwd, env }) => cpuOf(['-e', ''], { cwd, env }),
      SessionStart: (at) => hooked(at, { hook_event_name: 'SessionStart', source: 'startup' }),
      ...Object.fromEntries(
        ['PreToolUse', 'PostToolUse'].map((hook_event_name) => [
          `${hook_event_name} Bash`,
          (at) => {
            const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {} };
            return hooked(at, { hook_event_name, ...tool, tool_use_id: 'bash' });
          },
        ]),
      ),
      'guard lock try': command('lock', 'try', 'lib/one.ts'),
      'guard reserve': command('reserve', 'docs/**', '--reason', 'bench'),
      'guard conflicts, a free directory': command('conflicts', 'docs/**'),
      'guard conflicts, a directory of theirs': command('conflicts', `${place(7)}/**`),
      'guard conflicts, a wildcard': command('conflicts', '**/*.md'),
      ...Object.fromEntries(
        ['check', 'status', 'status --json', 'lock status', 'reservations', 'agent list', 'deadlock'].map(
          (words) => [`guard ${words}`, ({ cwd, env }) => cpuOf([guard, ...words.split(' ')], { cwd, env })],
        ),
      ),
    },
    (run, { made }) => run(made),
    ROUNDS,
  ),
);
const edits = repositories.map(({ made }) => {
  const taken = [];
  for (let round = -1; round < ROUNDS; round++) {
    const took = made.edit(cpuOf);
    if (round >= 0) taken.push(took);
  }
  return median(taken);
});
table('The Edit hook', [['PreToolUse Edit', edits]]);
fs.rmSync(scratch, { recursive: true, force: true });
