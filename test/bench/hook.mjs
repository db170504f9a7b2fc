// What a hook costs above an empty Node process of the same version (design section 9). Every round runs
// each scenario once, in turn, so that a noisy moment of the machine hits all of them alike.
//
//   npm run bench                          this Node
//   GUARD_BENCH_NODES=/a/node:/b/node …    other Node binaries, each for itself
//   GUARD_BENCH_ROUNDS=60 …                rounds (default 40)
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const hook = path.join(root, 'dist/hook.cjs');
const bundle_bytes = fs.statSync(path.join(root, 'dist/hook-main.cjs')).size;
const rounds = Number(process.env.GUARD_BENCH_ROUNDS ?? 40);
const nodes = (process.env.GUARD_BENCH_NODES ?? process.execPath).split(':');

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
  return start(node, [hook], JSON.stringify({ ...base, ...event }));
}

function start(node, args, input) {
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync(node, args, { cwd: repo, env, input, encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  return ms;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function measure(node) {
  const empty = path.join(scratch, 'empty.cjs');
  fs.writeFileSync(empty, '');
  const times = new Map([['empty', []], ...Object.keys(SCENARIOS).map((name) => [name, []])]);
  // The first command that is judged is the one whose compiled form is kept.
  for (const event of [bashBegins('echo > new.txt'), bashEnds('echo > new.txt')]) run(node, event);
  for (let round = -2; round < rounds; round++) {
    for (const [name, values] of times) {
      const ms = name === 'empty' ? start(node, [empty], '') : run(node, SCENARIOS[name].event());
      if (round >= 0) values.push(ms);
    }
  }
  return times;
}

try {
  setUp();
  for (const node of nodes) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const times = measure(node);
    const floor = times.get('empty');
    console.log(`\nNode ${version}, ${rounds} rounds, hook ${bundle_bytes} bytes; milliseconds`);
    console.log(
      '| event | median | above empty | ratio | min | min above empty |\n|---|---|---|---|---|---|',
    );
    for (const [name, values] of times) {
      const [mid, low] = [median(values), Math.min(...values)];
      const [midFloor, lowFloor] = [median(floor), Math.min(...floor)];
      const cells = [
        name,
        mid.toFixed(1),
        (mid - midFloor).toFixed(1),
        (mid / midFloor).toFixed(2),
        low.toFixed(1),
        (low - lowFloor).toFixed(1),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
