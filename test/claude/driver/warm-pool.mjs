/**
 * Warm processes for concurrent events: one for each event in progress, kept for the next. For tests, and for
 * programs of this package that start hooks themselves, see warm-hooks.mjs.
 */
import { spawn as spawnNow } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A program that loads this may replace the function.
const spawn = spawnNow;
const SERVER = join(import.meta.dirname, 'warm-process.mjs');
const DIST = join(import.meta.dirname, '../../../dist');
/** They take 60 MB each. */
const MOST_IDLE = 4;

const idle = [];

/** Runs one request that canWarm of warm.ts allows; resolves to { exit, stdout, stderr }, exit null if it died. */
export function ask({ args, cwd, env, stdin }) {
  const one = idle.pop() ?? begin();
  const fileOf = (name) => join(one.dir, name);
  fs.writeFileSync(fileOf('stdin'), stdin);
  keepAlive(one, true);
  return new Promise((resolve) => {
    one.answer = (line) => {
      const [stdout, stderr] = ['stdout', 'stderr'].map((name) => textOf(fileOf(name)));
      const [exit, gone] = line?.trim().split(' ') ?? [];
      if (exit === undefined || gone !== undefined || idle.length >= MOST_IDLE) end(one);
      else idle.push(one);
      keepAlive(one, false);
      resolve({ exit: exit === undefined ? null : Number(exit), stdout, stderr });
    };
    one.asked.write(`${JSON.stringify({ args, cwd, env })}\n`);
  });
}

function begin() {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-warm-'));
  const files = ['stdin', 'stdout', 'stderr'].map((name) => join(dir, name));
  const child = spawn(process.execPath, [SERVER, '3', '4', ...files, DIST], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  });
  const [, , , asked, told] = child.stdio;
  const one = { child, dir, asked, told, answer: () => undefined };
  asked.on('error', () => undefined);
  told.setEncoding('latin1');
  told.on('data', (line) => one.answer(line));
  told.on('error', () => undefined);
  child.on('close', () => one.answer(undefined));
  return one;
}

/** Idle processes must not keep a test or its worker alive. */
function keepAlive({ child, asked, told }, is) {
  for (const each of [child, asked, told]) is ? each.ref() : each.unref();
}

function end(one) {
  one.answer = () => undefined;
  one.child.kill('SIGKILL');
  fs.rmSync(one.dir, { recursive: true, force: true });
}

const textOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
