// The cost of a hook as the client starts it (a shell running the line from the settings), and of an empty program started the
// same way by the same Node. Every round runs each scenario once, in turn, so that a noisy moment affects all of them equally.
// CPU time covers the shell, its Node and everything that starts, and barely depends on what else the machine does.
// First alone, then next to six agents that constantly edit files of the same repository. For scale, also the hooks of other
// tools at the same moment, if npm has them (rivals.mjs).
//
//   npm run bench                          this Node
//   GUARD_BENCH_NODES=/a/node:/b/node …    other Node binaries, measured separately
//   GUARD_BENCH_ROUNDS=60 …                rounds (default 40)
//   GUARD_BENCH_ONLY='Edit, 10' …          only scenarios with matching names
//   GUARD_BENCH_AGENTS=0 …                 number of busy agents in the second part (default 6); 0 skips it
//   GUARD_BENCH_RIVALS=0 …                 installs nothing from npm
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startBusy } from './busy.mjs';
import { installRivals } from './rivals.mjs';
import { lineOf, timed } from './timed.mjs';

const root = path.join(import.meta.dirname, '../..');
const hook = path.join(root, 'dist/hook.cjs');
const bundle_bytes = fs.statSync(path.join(root, 'dist/hook-main.cjs')).size;
const rounds = Number(process.env.GUARD_BENCH_ROUNDS ?? 40);
const nodes = (process.env.GUARD_BENCH_NODES ?? process.execPath).split(':');
const only = new RegExp(process.env.GUARD_BENCH_ONLY ?? '');
const agents = Number(process.env.GUARD_BENCH_AGENTS ?? 6);

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
// Without a transcript guard would check whether another client sent the event, which takes time.
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

/** Events by scenario name. */
const SCENARIOS = {
  'a tool that guard ignores': {
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
  // Ends every command: each look around has to consider all open ones.
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

const eventOf = (event) => JSON.stringify({ ...base, ...event });
const start = (line, input) => timed(line, { cwd: repo, env, input });
const run = (node, event) => start(lineOf(node, hook), eventOf(event));

const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

/** Each scenario's name, with a function that runs it once. */
function scenariosOf(node, rivals) {
  const empty = path.join(scratch, 'empty.cjs');
  fs.writeFileSync(empty, '');
  const own = Object.entries(SCENARIOS).map(([name, { event }]) => [name, () => run(node, event())]);
  // Guard handles the same events as the other tools, in the same round.
  const others = rivals.map(({ name, lineFor, event }) => [
    name,
    () => start(lineFor(node), eventOf({ ...event(), tool_use_id: `r${++calls}` })),
  ]);
  const wanted = [...own, ...others].filter(([name]) => only.test(name));
  return [['an empty Node', () => start(lineOf(node, empty), '')], ...wanted];
}

function measure(node, scenarios) {
  const times = new Map(scenarios.map(([name]) => [name, []]));
  // The first command that guard checks makes it store the compiled form of that code.
  for (const event of [bashBegins('echo > new.txt'), bashEnds('echo > new.txt')]) run(node, event);
  for (let round = -3; round < rounds; round++)
    for (const [name, runOnce] of scenarios) {
      const took = runOnce();
      if (round >= 0) times.get(name).push(took);
    }
  return times;
}

/** Median ratio of each round to the empty Node of the same round. */
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

function report(title, times, before) {
  const floor = times.get('an empty Node');
  console.log(
    `\n${title}, ${rounds} rounds, load ${before} to ${load()}, hook ${bundle_bytes} bytes; milliseconds, medians where nothing else is said; the ratio is that of each round to its own empty Node`,
  );
  console.log(
    '| event | CPU | above empty | CPU ratio | wall | wall p95 | wall least | wall ratio |\n|---|---|---|---|---|---|---|---|',
  );
  for (const [name, values] of times) console.log(rowOf(name, values, floor));
}

try {
  setUp();
  const rivals = installRivals(scratch);
  for (const node of nodes) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const scenarios = scenariosOf(node, rivals);
    let before = load();
    report(`Node ${version}, alone`, measure(node, scenarios), before);
    if (agents === 0) continue;
    before = load();
    const busy = await startBusy(agents, {
      node,
      hook,
      repo,
      env,
      transcripts: path.dirname(transcript_path),
    });
    const times = measure(node, scenarios);
    const { edits } = await busy.stop();
    report(`Node ${version}, beside ${agents} busy agents (${edits} edits meanwhile)`, times, before);
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
