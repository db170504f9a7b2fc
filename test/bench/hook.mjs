// What a hook costs as the client starts it (a shell with the line of the settings), and an empty program started the same
// way by the same Node. Every round runs each scenario once, in turn, so that a noisy moment of the machine hits all of them
// alike; CPU time is that of the whole shell, its Node and what that started, and hardly knows what else the machine does.
//
//   npm run bench                          this Node
//   GUARD_BENCH_NODES=/a/node:/b/node …    other Node binaries, each for itself
//   GUARD_BENCH_ROUNDS=60 …                rounds (default 40)
//   GUARD_BENCH_ONLY='Edit, 10' …          only the scenarios whose name it matches
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const hook = path.join(root, 'dist/hook.cjs');
const bundle_bytes = fs.statSync(path.join(root, 'dist/hook-main.cjs')).size;
const rounds = Number(process.env.GUARD_BENCH_ROUNDS ?? 40);
const nodes = (process.env.GUARD_BENCH_NODES ?? process.execPath).split(':');
const only = new RegExp(process.env.GUARD_BENCH_ONLY ?? '');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-'));
const repo = path.join(scratch, 'repo');
const home = path.join(scratch, 'home');
const env = { PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: repo, CLAUDE_PID: String(process.pid) };

const size = (bytes) =>
  'x'
    .repeat(99)
    .concat('\n')
    .repeat(Math.ceil(bytes / 100))
    .slice(0, bytes);
// Without a transcript it would be taken for another client's event, and looked at more closely.
const transcript_path = path.join(home, '.claude/projects/-repo/bench.jsonl');
const base = { session_id: 'bench', transcript_path, cwd: repo };

function setUp() {
  fs.mkdirSync(home, { recursive: true });
  fs.mkdirSync(repo);
  execFileSync('git', ['init', '-q'], { cwd: repo });
  for (const [name, bytes] of Object.entries(FILES)) fs.writeFileSync(path.join(repo, name), size(bytes));
  execFileSync(process.execPath, [path.join(root, 'bin/guard.cjs'), 'init', '--scope', 'local'], {
    cwd: repo,
    env,
    stdio: 'ignore',
  });
  run(process.execPath, { hook_event_name: 'UserPromptSubmit', prompt: 'go' });
  for (const name of Object.keys(FILES)) run(process.execPath, read(name));
  const lock = ['lock', 'try', ...Object.keys(FILES), '--agent', 'claude-bench'];
  execFileSync(process.execPath, [path.join(root, 'bin/guard.cjs'), ...lock], { cwd: repo, env });
}

const FILES = { '10k.txt': 10_000, '100k.txt': 100_000, '1m.txt': 1_000_000 };
let calls = 0;
const file = (name) => path.join(repo, name);
const text = (name) => fs.readFileSync(file(name), 'utf8');
const post = (name, tool, tool_input, tool_response) => ({
  hook_event_name: 'PostToolUse',
  tool_name: tool,
  tool_input,
  tool_response,
  tool_use_id: `b${calls}`,
  duration_ms: 5,
});
const read = (name) => {
  const lines = text(name).split('\n').length;
  const shown = {
    filePath: file(name),
    content: text(name),
    numLines: lines,
    startLine: 1,
    totalLines: lines,
  };
  return post(name, 'Read', { file_path: file(name) }, { type: 'text', file: shown });
};
const edit = (name) => ({ file_path: file(name), old_string: 'x', new_string: 'x', replace_all: false });
const preEdit = (name) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Edit',
  tool_input: edit(name),
  tool_use_id: `b${++calls}`,
});
const postEdit = (name) =>
  post(name, 'Edit', edit(name), {
    filePath: file(name),
    oldString: 'x',
    newString: 'x',
    originalFile: text(name),
    structuredPatch: [],
  });

const mcp = (tool_name, tool_input) => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: `b${++calls}`,
});

/** `after`: the Post event ends what the Pre event began, outside of the clock. */
const SCENARIOS = {
  'a tool that concerns nobody': {
    event: () => ({ hook_event_name: 'PreToolUse', tool_name: 'WebFetch', tool_input: {}, tool_use_id: 'n' }),
  },
  'PreToolUse Edit, 10 KB': { event: () => preEdit('10k.txt') },
  'PostToolUse Edit, 10 KB': { event: () => postEdit('10k.txt') },
  'PostToolUse Read, 10 KB': { event: () => read('10k.txt') },
  'PreToolUse Edit, 100 KB': { event: () => preEdit('100k.txt') },
  'PostToolUse Edit, 100 KB': { event: () => postEdit('100k.txt') },
  'PostToolUse Read, 100 KB': { event: () => read('100k.txt') },
  'PreToolUse Edit, 1 MB': { event: () => preEdit('1m.txt') },
  'PostToolUse Edit, 1 MB': { event: () => postEdit('1m.txt') },
  'PostToolUse Read, 1 MB': { event: () => read('1m.txt') },
  'PreToolUse of an MCP tool, no path': { event: () => mcp('mcp__browser__click', { ref: 'e1' }) },
  'PreToolUse of an MCP tool, a path': { event: () => mcp('mcp__x__export', { path: file('10k.txt') }) },
  'PreToolUse of an MCP writer, 10 KB': {
    event: () => mcp('mcp__filesystem__write_file', { path: file('10k.txt'), content: 'x' }),
  },
  'PreToolUse Bash': { event: () => bashBegins('ls') },
  // Every command comes to its end: what is still open counts in each look around.
  'PostToolUse Bash': { event: () => bashEnds('ls') },
};

function bashBegins(command) {
  const tool_use_id = `b${++calls}`;
  return { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id };
}

function bashEnds(command) {
  const tool_response = { stdout: '10k.txt\n1m.txt', stderr: '', interrupted: false, isImage: false };
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `b${calls}` };
  return { hook_event_name: 'PostToolUse', ...call, tool_response };
}

function run(node, event) {
  return start(node, hook, JSON.stringify({ ...base, ...event }));
}

/** Runs a line by sh and says of it and all below it: seconds, microseconds of user and of system, and wall time. */
const TIMED = `
use Time::HiRes qw(time);
open(my $say, '>&=', 3); $say->autoflush(1);
my $began = time;
system('/bin/sh', '-c', $ARGV[0]);
my $wall = time - $began;
syscall($ARGV[1], -1, my $used = "\\0" x 256);
my ($user, $user_us, $system, $system_us) = unpack('q4', $used);
printf $say '%f %f', 1000 * $wall, 1000 * ($user + $system) + ($user_us + $system_us) / 1000;
exit($? >> 8);`;
const GETRUSAGE = { x64: '98', arm64: '165' }[process.arch];

/** As src/install/command.ts writes it. */
const lineOf = (node, program) =>
  `N='${node}'; [ -x "$N" ] || N=node; NODE_EXTRA_CA_CERTS= "$N" '${program}' guard`;

function start(node, program, input) {
  const options = { cwd: repo, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe', 'pipe'] };
  const { status, stderr, output } = spawnSync(
    'perl',
    ['-MIO::Handle', '-e', TIMED, lineOf(node, program), GETRUSAGE],
    options,
  );
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  const [wall_ms, cpu_ms] = output[3].split(' ').map(Number);
  return { wall_ms, cpu_ms };
}

const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

function measure(node) {
  const empty = path.join(scratch, 'empty.cjs');
  fs.writeFileSync(empty, '');
  const wanted = Object.keys(SCENARIOS).filter((name) => only.test(name));
  const times = new Map(['an empty Node', ...wanted].map((name) => [name, []]));
  // The first command that is judged is the one whose compiled form is kept.
  for (const event of [bashBegins('echo > new.txt'), bashEnds('echo > new.txt')]) run(node, event);
  for (let round = -3; round < rounds; round++) {
    for (const [name, values] of times) {
      const took =
        SCENARIOS[name] === undefined ? start(node, empty, '') : run(node, SCENARIOS[name].event());
      if (round >= 0) values.push(took);
    }
  }
  return times;
}

/** Of each round the ratio to its own empty Node. */
const ratio = (values, floor, what) =>
  at(
    values.map((one, nth) => one[what] / floor[nth][what]),
    0.5,
  );

function rowOf(name, values, floor) {
  const [cpu, wall] = ['cpu_ms', 'wall_ms'].map((what) => values.map((one) => one[what]));
  const figures = [
    at(cpu, 0.5),
    at(cpu, 0.5) -
      at(
        floor.map(({ cpu_ms }) => cpu_ms),
        0.5,
      ),
    ratio(values, floor, 'cpu_ms'),
  ];
  const walls = [at(wall, 0.5), at(wall, 0.95), Math.min(...wall), ratio(values, floor, 'wall_ms')];
  const shown = [...figures, ...walls].map((it, nth) => it.toFixed(nth === 2 || nth === 6 ? 2 : 1));
  return `| ${[name, ...shown].join(' | ')} |`;
}

const load = () => os.loadavg()[0].toFixed(1);

try {
  setUp();
  for (const node of nodes) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const before = load();
    const times = measure(node);
    const floor = times.get('an empty Node');
    console.log(
      `\nNode ${version}, ${rounds} rounds, load ${before} to ${load()}, hook ${bundle_bytes} bytes; milliseconds, medians where nothing else is said; the ratio is that of each round to its own empty Node`,
    );
    console.log(
      '| event | CPU | above empty | CPU ratio | wall | wall p95 | wall least | wall ratio |\n|---|---|---|---|---|---|---|---|',
    );
    for (const [name, values] of times) console.log(rowOf(name, values, floor));
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
