/**
 * Runs the programs in dist/ repeatedly in one process, for warm.ts. Their modules are loaded once: none has state, which
 * test/architecture/habits holds them to, and loading them again took more than half of the time of an event (3.3 of 5.2 ms) or a
 * command (6 of 12 ms). As in a separate process, a command has ended when nothing is left to wait for. One that exits, or
 * fails with an uncaught error, ends this process, and warm.ts starts the next.
 */
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setImmediate } from 'node:timers';
import vm from 'node:vm';
import { keepThreads } from './kept-threads.mjs';
import { spawnSmall } from './small-spawns.mjs';

const [asked, told, stdin, stdout, stderr, dist] = process.argv.slice(2);
const launcher = join(dist, '../hooks/guard-hook.cjs');
const require = createRequire(import.meta.url);
const scripts = new Map();
const loaded = new Map();
const CHUNK_BYTES = 65_536;
const IS_COMMAND = /"tool_name"\s*:\s*"(?:Bash|PowerShell)"/;
const IS_WORKTREE = /"hook_event_name"\s*:\s*"Worktree/;
const IS_AFTER = /"hook_event_name"\s*:\s*"PostToolUse"/;

// The name of a FIFO, or the number of an open descriptor.
const opened = (name, flags) => (/^\d+$/.test(name) ? Number(name) : fs.openSync(name, flags));
const requests = opened(asked, 'r');
const answers = opened(told, 'w');
let isBusy = false;

const last = (code) => isBusy && tell(`${code} gone`);
process.on('exit', last);
// Nothing is left to wait for, so the request is done. The next request keeps the process alive.
process.on('beforeExit', next);
const atStart = new Set(process.eventNames().flatMap((name) => process.rawListeners(name)));

function next() {
  if (isBusy) answer(process.exitCode ?? 0);
  for (let begun = false; !begun;) {
    const request = readLine();
    if (request === null) leave();
    begun = begin(JSON.parse(request));
  }
}

/** The test worker has ended, so no other process will remove the directory. */
function leave() {
  fs.rmSync(dirname(stdin), { recursive: true, force: true });
  process.exit();
}

/** Runs the request's exit listeners, and removes all of its listeners. */
function answer(code) {
  for (const listener of process.listeners('exit')) if (listener !== last) listener.call(process, code);
  for (const name of process.eventNames())
    for (const listener of process.rawListeners(name))
      if (!atStart.has(listener)) process.removeListener(name, listener);
  isBusy = false;
  process.exitCode = undefined;
  process.chdir('/');
  tell(code);
}

function tell(line) {
  fs.writeSync(answers, `${line}\n`);
}

/** True if the request is still running. */
function begin({ args: [program, ...args], cwd, env }) {
  reopen(0, stdin, 'r');
  reopen(1, stdout, 'w');
  reopen(2, stderr, 'w');
  process.argv.splice(1, process.argv.length, program, ...args);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  isBusy = true;
  const isLauncher = basename(program) === basename(launcher);
  if (isLauncher || program === `${dist}/hook.cjs` || args[0] === 'hook') {
    if (isLauncher) launch(program);
    else hook();
    answer(process.exitCode ?? 0);
    return false;
  }
  // Node emits `beforeExit` again only if something was left to wait for.
  setImmediate(() => void command(args));
  return true;
}

/** Does what src/cli/quick/entry.ts does with the whole program. */
async function command(args) {
  process.exitCode = 2;
  process.exitCode = await load(`${dist}/whole.cjs`).default(args);
}

/** Does what Node does with a copy of hooks/guard-hook.cjs, which warm.ts has compared. */
function launch(file) {
  const here = (name) => (name === `${dist}/hook.cjs` ? hook() : anew(name));
  const start = scriptOf(launcher, Module.wrap).runInThisContext();
  start.call({}, {}, here, { exports: {} }, file, dirname(file));
  delete globalThis[Symbol.for('guard.launcher')];
}

/** Another guard's hook runs when loaded. */
function anew(name) {
  if (isAbsolute(name)) delete require.cache[require.resolve(name)];
  return require(name);
}

/** Does what src/claude/entry.ts does, but keeps no compiled code, which this process already has. */
function hook() {
  try {
    const first = readSome();
    const [main, act] = mainOf(first.toString('latin1', 0, 4_096));
    load(`${dist}/${main}.cjs`)[act](first, readSome);
  } catch (error) {
    process.exitCode = 1;
    fs.writeSync(2, `guard cannot start: ${String(error).split('\n')[0]}\n`);
  }
}

function mainOf(begin) {
  if (process.argv.includes('--host')) return ['hook-host', 'hostEvent'];
  if (IS_WORKTREE.test(begin)) return ['on-use/worktree-events', 'worktreeEvent'];
  if (IS_COMMAND.test(begin)) return ['hook-command', 'run'];
  return [IS_AFTER.test(begin) ? 'hook-after' : 'hook-main', 'run'];
}

function readSome(chunk = Buffer.alloc(CHUNK_BYTES)) {
  return chunk.subarray(0, fs.readSync(0, chunk, 0, chunk.length, null));
}

function load(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  const dir = file.slice(0, file.lastIndexOf('/'));
  const here = (name) =>
    name.endsWith('.cjs') && name.startsWith('./') ? load(`${dir}/${name.slice(2)}`) : require(name);
  scriptOf(file).runInThisContext()(module, here, file);
  loaded.set(file, module);
  return module.exports;
}

function scriptOf(file, wrapped = (source) => source) {
  const known = scripts.get(file);
  if (known !== undefined) return known;
  const script = new vm.Script(wrapped(fs.readFileSync(file, 'utf8')), { filename: file });
  scripts.set(file, script);
  return script;
}

/** open() returns the lowest free descriptor. */
function reopen(fd, file, flags) {
  fs.closeSync(fd);
  if (fs.openSync(file, flags) !== fd) throw new Error(`no ${fd}`);
}

function readLine() {
  const chunks = [];
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const size = fs.readSync(requests, chunk, 0, chunk.length, null);
    if (size === 0) return null;
    chunks.push(Buffer.from(chunk.subarray(0, size)));
    if (chunk[size - 1] === 10) return Buffer.concat(chunks).toString('utf8');
  }
}

spawnSmall();
keepThreads();
next();
