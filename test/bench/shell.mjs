// Guard's decisions on the shell corpora: every command as PreToolUse of Bash through the installed hook, in a repository
// in the row's state, where another live agent holds locks on the row's files. Prints the share of writing commands that
// are denied, the harmless ones that are denied, and the time of the hook.
//
//   npm run bench:shell                       all corpora of test/shell/corpus
//   npm run bench:shell -- --after            also runs the commands that pass, and shows which agents were notified
//   npm run bench:shell -- --group git        rows of one group;  --corpus one: of one file;  --rounds 0: without times
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { load } from '../shell/corpus/load.mjs';

const guard = path.join(import.meta.dirname, '../..');
const { values: wanted } = parseArgs({
  options: {
    after: { type: 'boolean', default: false },
    group: { type: 'string', default: '' },
    corpus: { type: 'string', default: '' },
    rounds: { type: 'string', default: '20' },
  },
});
const { corporaIn, readRows } = await load('rows.ts');
const { inPlace, judgeAll, onStage, perform } = await load('verdicts.ts');
const { cpuIn, measuringCpu } = await load('client.ts');

/** A program that does nothing, started like the hook. */
const EMPTY = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'shell-bench-')), 'empty.cjs');
fs.writeFileSync(EMPTY, '');
process.on('exit', () => fs.rmSync(path.dirname(EMPTY), { recursive: true, force: true }));

/** A command of about 1 KB as agents write them. */
const LINES = Array.from(
  { length: 9 },
  (_, at) => `export const step${at} = (rows) => rows.filter(({ price }) => price > ${at});`,
);
const KILOBYTE = [
  "cd src && mkdir -p steps && cat > steps/new.js << 'EOF'",
  ...LINES,
  'EOF',
  'node --check steps/new.js 2>&1 | tail -5 && cd .. && for f in src/steps/*.js; do sed -i "s/price/cost/g" "$f"; done',
  'git status --short 2>&1 | head -20 && npm test 2>&1 | tail -15; echo "exit: $?"',
].join('\n');

const files = corporaIn(path.join(guard, 'test/shell/corpus')).filter((file) =>
  path.basename(file).startsWith(wanted.corpus),
);
const share = (some, all) =>
  `${some.length} of ${all.length}${all.length > 0 ? ` (${((100 * some.length) / all.length).toFixed(1)} %)` : ''}`;
const ids = (verdicts) => verdicts.map(({ row }) => row.id).join(' ') || 'none';
const denied = (verdicts) => verdicts.filter((verdict) => verdict.denied);

const rows = files.flatMap((file) => readRows(file).map((row) => ({ ...row, file: path.basename(file) })));
const chosen = rows.filter(({ group }) => wanted.group === '' || group === wanted.group);
const verdicts = await inPlace(guard, (place) => judgeAll(chosen, place));
for (const file of files)
  report(
    path.basename(file),
    verdicts.filter(({ row }) => row.file === path.basename(file)),
  );
if (files.length > 1) report('all corpora', verdicts);
if (wanted.after) await after(verdicts.filter(({ row, denied }) => row.kind === 'writes' && !denied));
if (Number(wanted.rounds) > 0)
  for (const is_alone of [true, false])
    await inPlace(guard, (place) => times(Number(wanted.rounds), place, is_alone));

function report(name, all) {
  const writes = all.filter(({ row }) => row.kind === 'writes');
  const harmless = all.filter(({ row }) => row.kind === 'harmless');
  const plain = writes.filter(({ row }) => !row.evasive);
  const evasive = writes.filter(({ row }) => row.evasive);
  console.log(`\n## ${name}\n`);
  console.log(
    `writing commands denied before: ${share(denied(plain), plain)}; evasive ${share(denied(evasive), evasive)}`,
  );
  console.log(`harmless commands denied: ${share(denied(harmless), harmless)}`);
  console.log('\n| group of writing commands | denied | |\n|---|---|---|');
  for (const group of new Set(writes.map(({ row }) => row.group))) {
    const of = writes.filter(({ row }) => row.group === group);
    console.log(`| ${group} | ${denied(of).length} | of ${of.length} |`);
  }
  console.log(`\nnot denied: ${ids(plain.filter((verdict) => !verdict.denied))}`);
  console.log(`not denied, evasive: ${ids(evasive.filter((verdict) => !verdict.denied))}`);
  console.log(`harmless, denied: ${ids(denied(harmless))}`);
}

async function after(missed) {
  const all = [];
  for (const { row } of missed) {
    const noticed = await inPlace(guard, (place) => perform(row, place));
    if (noticed !== null && noticed.changed.length > 0) all.push({ row, ...noticed });
  }
  console.log(
    `\n## Afterwards: ${share(all, missed)} of those that were not denied changed a locked file when run\n`,
  );
  for (const fact of ['recorded', 'offender_told', 'holder_told']) {
    console.log(
      `${fact}: ${share(
        all.filter((one) => one[fact]),
        all,
      )}`,
    );
    console.log(`    not: ${ids(all.filter((one) => !one[fact]))}`);
  }
}

/** Interleaved, so that a noisy moment affects all of them equally; CPU time, which is steadier, is measured in separate rounds. */
function times(rounds, place, is_alone) {
  const wall = samples();
  const cpu = samples();
  onStage({ variant: 'clean', own: [], is_alone }, place, (stage) => {
    const held = ['src/parser.js', 'docs/guide.md'];
    const row = { variant: 'clean', cwd: '.', as: 'main', held, own: [] };
    const acts = [
      () => emptyNode(stage.places),
      () => stage.timeEdit('src/app.js'),
      () => stage.ask({ ...row, command: 'ls' }),
      () => stage.ask({ ...row, command: KILOBYTE }),
    ];
    const run = (keep) => {
      // The first two rounds fill the page cache.
      for (let round = -2; round < rounds; round++)
        for (let turn = 0; turn < acts.length; turn++) {
          const at = (turn + round + acts.length) % acts.length;
          const told = acts[at]();
          if (round >= 0) keep(at, told);
        }
    };
    run((at, { took_ms }) => Object.values(wall)[at].push(took_ms));
    Object.assign(stage.places.env, measuringCpu(path.join(path.dirname(EMPTY), 'cpu')));
    run((at, { cpu_ms }) => Object.values(cpu)[at].push(cpu_ms));
  });
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const least = (values) => Math.min(...values);
  const edit = middle(wall['PreToolUse Edit']);
  const [load] = os.loadavg();
  console.log(
    `\n## Time, ms, ${is_alone ? 'an agent alone' : 'a subagent about'}, ${rounds} rounds, Node ${process.version}, load ${load.toFixed(1)}\n\n` +
      '| | median | above Edit | least | CPU, median | CPU, least |\n|---|---|---|---|---|---|',
  );
  for (const [name, values] of Object.entries(wall)) {
    const figures = [
      middle(values),
      middle(values) - edit,
      least(values),
      middle(cpu[name]),
      least(cpu[name]),
    ];
    console.log(`| ${name} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`);
  }
}

function samples() {
  const names = ['empty node', 'PreToolUse Edit', 'PreToolUse Bash, ls', 'PreToolUse Bash, 1 KB'];
  return Object.fromEntries(names.map((name) => [name, []]));
}

/** The environment of a hook: this process's NODE_EXTRA_CA_CERTS and the like would cost it 40 ms. */
function emptyNode({ root, env }) {
  const begin = performance.now();
  spawnSync('/bin/sh', ['-c', `node '${EMPTY}'`], { cwd: root, env, input: '', encoding: 'utf8' });
  return { took_ms: performance.now() - begin, cpu_ms: cpuIn(env.CPU_FILE) };
}
