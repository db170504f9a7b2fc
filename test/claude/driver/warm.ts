/**
 * What the built program does with an event or a command, from a process that is there already: starting Node costs more
 * than what guard then does. One process per test worker, started by its first request; one request at a time, whose
 * standard streams are files.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface Request {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | Buffer;
}

export interface Told {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PACKAGE = join(import.meta.dirname, '../../..');
const DIST = join(PACKAGE, 'dist');
const HOOK = join(DIST, 'hook.cjs');
const GUARD = join(PACKAGE, 'bin/guard.cjs');
const LAUNCHER = fs.readFileSync(join(PACKAGE, 'hooks/guard-hook.cjs'));

/** They serve whoever speaks to their standard streams, until they are stopped. */
const SERVERS: ReadonlySet<string> = new Set(['mcp', 'serve']);

/** What is read before the program is. */
const OF_THE_START = /^(?:NODE_|LD_|DYLD_)/;

/** True for what this package's own hook and commands do. GUARD_TEST_PROCESSES=1 starts a process for each of them. */
export function canWarm({ args, cwd, env }: Request): boolean {
  const [program = '', command = ''] = args;
  if (process.env['GUARD_TEST_PROCESSES'] === '1') return false;
  if (program !== HOOK && !isLauncher(program) && program !== GUARD) return false;
  if (program !== HOOK && SERVERS.has(command)) return false;
  return !Object.keys(env).some((name) => OF_THE_START.test(name)) && fs.existsSync(cwd);
}

/** A copy that says the same as the one under test. */
const isLauncher = (program: string): boolean =>
  basename(program) === 'guard-hook.cjs' && sameBytes(program, LAUNCHER);

function sameBytes(file: string, bytes: Buffer): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === bytes.length && fs.readFileSync(file).equals(bytes);
}

const SERVER = join(import.meta.dirname, 'warm-process.mjs');
/** Between looks for an answer, each of which costs 35 µs: at first, and of the time that it took so far. */
const PAUSE_MS = 2;
const PAUSE_SHARE = 1 / 8;

interface Running {
  readonly child: ChildProcess;
  /** Of this process alone: its FIFOs and its standard streams. */
  readonly dir: string;
  /** Descriptors of what it reads and writes. */
  readonly asked: number;
  readonly told: number;
}

export class Warm {
  #running: Running | undefined;

  /** @throws Error with the code ETIMEDOUT, also where the process died */
  ask({ args, cwd, env, stdin }: Request, timeout_ms: number): Told {
    const running = (this.#running ??= start());
    fs.writeFileSync(join(running.dir, 'stdin'), stdin);
    fs.writeSync(running.asked, `${JSON.stringify({ args, cwd, env })}\n`);
    const line = answerOf(running, performance.now() + timeout_ms);
    const [stdout, stderr] = [textOf(running, 'stdout'), textOf(running, 'stderr')];
    const [exit, gone] = line?.trim().split(' ') ?? [];
    if (exit === undefined || gone !== undefined) this.#end(running);
    if (exit === undefined) throw Object.assign(new Error(`no answer: ${stderr}`), { code: 'ETIMEDOUT' });
    return { exit: Number(exit), stdout, stderr };
  }

  #end({ child, dir, asked, told }: Running): void {
    child.kill('SIGKILL');
    fs.closeSync(asked);
    fs.closeSync(told);
    fs.rmSync(dir, { recursive: true, force: true });
    this.#running = undefined;
  }
}

function start(): Running {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-warm-'));
  const files = ['asked', 'told', 'stdin', 'stdout', 'stderr'].map((name) => join(dir, name));
  const [to = '', from = ''] = files;
  execFileSync('mkfifo', ['-m', '600', to, from]);
  // Nobody waits at either end: a FIFO opened for both has a reader and a writer.
  const asked = fs.openSync(to, 'r+');
  const told = fs.openSync(from, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const child = spawn(process.execPath, [SERVER, ...files, DIST], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  return { child, dir, asked, told };
}

/** Undefined: it took too long, or died. */
function answerOf({ told }: Running, until_ms: number): string | undefined {
  const bytes = Buffer.alloc(64);
  const begin_ms = performance.now();
  let is_there = false;
  for (let now_ms = begin_ms; now_ms < until_ms; now_ms = performance.now()) {
    const size = readSome(told, bytes);
    if (size > 0) return bytes.toString('latin1', 0, size);
    if (size === 0 && is_there) return undefined;
    is_there ||= size !== 0;
    pause(PAUSE_MS + (now_ms - begin_ms) * PAUSE_SHARE);
  }
  return undefined;
}

/** Empty where it did not come to that. */
function textOf({ dir }: Running, name: string): string {
  const file = join(dir, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

/** 0: nobody writes there (yet, or any more); -1: nothing written yet. */
function readSome(fd: number, bytes: Buffer): number {
  try {
    return fs.readSync(fd, bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return -1;
    throw error;
  }
}

function pause(duration_ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration_ms);
}
