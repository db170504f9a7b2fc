// The cost of a hook that a server answers (guard init --warm), and of one that runs as its own process, as the client starts it: `sh -c`
// with the line from the settings. They alternate with an empty Node and an empty shell; first alone, then next to agents that send hooks constantly.
// CPU: user and system time of the shell and all the children it waits for, and of the server's threads.
// Next to agents every process waits for its turn, so there are fewer rounds of fewer hooks.
//   node test/bench/warm.mjs [rounds] [agents] [rounds next to agents]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clientEnv, eventText, plainEnv } from './client-event.mjs';

const [ROUNDS = 40, AGENTS = 6, BUSY_ROUNDS = 15] = process.argv.slice(2).map(Number);
const root = path.join(import.meta.dirname, '../..');
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-warm-')));
const [repo, home] = ['repo', 'home'].map((name) => path.join(base, name));
for (const dir of [repo, home]) fs.mkdirSync(dir);
const env = clientEnv({ repo, home }, 'bench');
const guard = (...args) =>
  execFileSync(process.execPath, [path.join(root, 'bin/guard.cjs'), ...args], {
    cwd: repo,
    env: plainEnv({ home }),
    stdio: 'pipe',
  });
const file = (name) => path.join(repo, name);
const settings = () => JSON.parse(fs.readFileSync(file('.claude/settings.local.json'), 'utf8'));
const lineIn = () => settings().hooks.Stop[0].hooks[0].command;

function setUp() {
  execFileSync('git', ['init', '-q'], { cwd: repo });
  for (const [name, size] of [
    ['10k.txt', 10_240],
    ['1m.txt', 1_048_576],
  ])
    fs.writeFileSync(
      file(name),
      'x'
        .repeat(79)
        .concat('\n')
        .repeat(size / 80),
    );
  guard('init', '--preset', 'auto', '--scope', 'local');
  const cold = lineIn();
  guard('init', '--warm');
  return { cold, warm: lineIn() };
}

let calls = 0;
const event = (fields) => eventText({ repo, home }, 'bench', fields);
const tool = (hook_event_name, tool_name, tool_input, more = {}) =>
  event({ hook_event_name, tool_name, tool_input, tool_use_id: `b${calls}`, ...more });
const edit = (name) => ({ file_path: file(name), old_string: 'x', new_string: 'x', replace_all: false });
const edited = (name) => ({
  tool_response: {
    filePath: file(name),
    oldString: 'x',
    newString: 'x',
    originalFile: fs.readFileSync(file(name), 'utf8'),
    structuredPatch: [],
  },
});
const shown = (name) => {
  const content = fs.readFileSync(file(name), 'utf8');
  const numLines = content.split('\n').length;
  return {
    tool_response: {
      type: 'text',
      file: { filePath: file(name), content, numLines, startLine: 1, totalLines: numLines },
    },
  };
};
const ran = { tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false } };
const KINDS = {
  'a tool that guard ignores': () => tool('PreToolUse', 'WebFetch', {}),
  'PreToolUse Edit, 10 KB': () => (++calls, tool('PreToolUse', 'Edit', edit('10k.txt'))),
  'PostToolUse Edit, 10 KB': () => tool('PostToolUse', 'Edit', edit('10k.txt'), edited('10k.txt')),
  'PostToolUse Read, 10 KB': () =>
    tool('PostToolUse', 'Read', { file_path: file('10k.txt') }, shown('10k.txt')),
  'PostToolUse Read, 1 MB': () => tool('PostToolUse', 'Read', { file_path: file('1m.txt') }, shown('1m.txt')),
  'PreToolUse Bash': () => (++calls, tool('PreToolUse', 'Bash', { command: 'ls' })),
  'PostToolUse Bash': () => tool('PostToolUse', 'Bash', { command: 'ls' }, ran),
  UserPromptSubmit: () => event({ hook_event_name: 'UserPromptSubmit', prompt: 'go' }),
  Stop: () => event({ hook_event_name: 'Stop', background_tasks: [] }),
};

const BUSY_KINDS = [
  'a tool that guard ignores',
  'PreToolUse Edit, 10 KB',
  'PostToolUse Edit, 10 KB',
  'PostToolUse Read, 10 KB',
];

const serverPids = () =>
  fs
    .readdirSync(file('.git/guard/warm'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number(fs.readFileSync(path.join(file('.git/guard/warm'), name), 'utf8')));

/** CPU milliseconds of the server's threads so far. */
function serverCpu() {
  let sum = 0;
  for (const pid of serverPids())
    for (const task of fs.readdirSync(`/proc/${pid}/task`))
      sum += Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  return sum / 1e6;
}

function run(line, input) {
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: repo, env, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

/** CPU milliseconds of all reaped children. The kernel counts in steps of 10 ms, which is good enough over many. */
function childrenCpu() {
  const fields = fs
    .readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** Next to agents the server also works for them, so only the shell and the children it waits for are counted there. */
function measure(lines, rounds, isAlone, kinds = Object.keys(KINDS)) {
  const empty = path.join(base, 'empty.cjs');
  fs.writeFileSync(empty, '');
  const variants = { shell: ':', node: `${process.execPath} ${empty}`, ...lines };
  const rows = [];
  for (const kind of kinds) {
    const make = KINDS[kind];
    const wall = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
    const cpu = Object.fromEntries(Object.keys(variants).map((name) => [name, 0]));
    for (let round = -2; round < rounds; round++)
      for (const [name, line] of Object.entries(variants)) {
        const input = make();
        const [children, server] = [childrenCpu(), serverCpu()];
        const ms = run(line, name === 'shell' || name === 'node' ? '' : input);
        if (round < 0) continue;
        wall[name].push(ms);
        cpu[name] += childrenCpu() - children + (isAlone && name === 'warm' ? serverCpu() - server : 0);
      }
    rows.push({ kind, wall, cpu });
  }
  return rows;
}

function print(title, rounds, rows) {
  const load = os.loadavg()[0].toFixed(1);
  console.log(`\n${title}: ${rounds} rounds, Node ${process.version}, load ${load}; milliseconds\n`);
  console.log(
    '| hook | cold p50 | p95 | cpu | warm p50 | p95 | cpu | cold cpu / warm | empty Node p50 | cpu | shell p50 | empty Node p50 / warm |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
  );
  for (const { kind, wall, cpu } of rows) {
    const one = (name) => [at(wall[name], 0.5), at(wall[name], 0.95), cpu[name] / rounds];
    const cells = [
      ...one('cold'),
      ...one('warm'),
      cpu.cold / cpu.warm,
      at(wall.node, 0.5),
      cpu.node / rounds,
      at(wall.shell, 0.5),
      at(wall.node, 0.5) / at(wall.warm, 0.5),
    ];
    console.log(`| ${kind} | ${cells.map((value) => value.toFixed(1)).join(' | ')} |`);
  }
}

/** Other agents, each of which sends hooks for its own file, one after another. */
function agents(line) {
  const code = `
    const { spawnSync } = require('node:child_process');
    const [line, text] = process.argv.slice(1);
    const event = JSON.parse(text);
    for (let n = 0; ; n++)
      spawnSync('/bin/sh', ['-c', line], { cwd: event.cwd, input: JSON.stringify({ ...event, tool_use_id: 'x' + n }) + '\\n' });`;
  return Array.from({ length: AGENTS }, (_, n) => {
    const session = `other${n}`;
    const tool_input = {
      file_path: file(`${session}.txt`),
      old_string: 'a',
      new_string: 'b',
      replace_all: false,
    };
    fs.writeFileSync(tool_input.file_path, 'a\n');
    const fields = { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input };
    const text = eventText({ repo, home }, session, fields);
    return spawn(process.execPath, ['-e', code, line, text], {
      cwd: repo,
      env: clientEnv({ repo, home }, session),
      stdio: 'ignore',
    });
  });
}

const lines = setUp();
const busy = [];
// If this process is stopped early, stop the agents too.
process.on('SIGTERM', () => process.exit(1)).on('SIGINT', () => process.exit(1));
process.on('exit', () => busy.forEach((child) => child.kill('SIGKILL')));
try {
  const begin = Date.now();
  do run(lines.warm, KINDS.Stop());
  while (
    !fs.existsSync(file('.git/guard/warm')) ||
    (serverPids().length === 0 && Date.now() - begin < 30_000)
  );
  print('Alone', ROUNDS, measure(lines, ROUNDS, true));
  if (AGENTS > 0) {
    busy.push(...agents(lines.warm));
    print(`Beside ${AGENTS} agents`, BUSY_ROUNDS, measure(lines, BUSY_ROUNDS, false, BUSY_KINDS));
  }
} finally {
  for (const child of busy.splice(0)) child.kill('SIGKILL');
  guard('serve', '--stop');
  fs.rmSync(base, { recursive: true, force: true });
}
