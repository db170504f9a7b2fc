/**
 * Answers for the built program's events and commands from a warm process: starting Node costs more than guard's own
 * work. One process per test worker, started by its first request; one request at a time, with files as its standard
 * streams.
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

/** They serve clients on their standard streams until stopped. */
const SERVERS: ReadonlySet<string> = new Set(['mcp', 'serve']);

/** Variables that are read before the program starts. */
const OF_THE_START = /^(?:NODE_|LD_|DYLD_)/;

/** True for this package's own hook and commands. GUARD_TEST_PROCESSES=1 starts a process for each instead. */
export function canWarm({ args, cwd, env }: Request): boolean {
  const [program = '', command = ''] = args;
  if (process.env['GUARD_TEST_PROCESSES'] === '1') return false;
  if (program !== HOOK && !isLauncher(program) && program !== GUARD) return false;
  if (program !== HOOK && SERVERS.has(command)) return false;
  return !Object.keys(env).some((name) => OF_THE_START.test(name)) && fs.existsSync(cwd);
}

/** A copy with the same content as the launcher under test. */
const isLauncher = (program: string): boolean =>
  basename(program) === 'guard-hook.cjs' && sameBytes(program, LAUNCHER);

function sameBytes(file: string, bytes: Buffer): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === bytes.length && fs.readFileSync(file).equals(bytes);
}

const SERVER = join(import.meta.dirname, 'warm-process.mjs');
/** Pause between polls, which cost 35 µs each: the initial one, and the share of the elapsed time that is added. */
const PAUSE_MS = 2;
const PAUSE_SHARE = 1 / 8;

interface Running {
  readonly child: ChildProcess;
  /** Used by this process only: its FIFOs and its standard streams. */
  readonly dir: string;
  /** Descriptors of the FIFOs it reads and writes. */
  readonly asked: number;
  readonly told: number;
}

export class Warm {
  #running: Running | undefined;

  /** @throws Error with the code ETIMEDOUT, also if the process died */
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
  // Neither end blocks: a FIFO opened for both has a reader and a writer.
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

/** Undefined if it took too long, or died. */
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

/** Empty if the file was never created. */
function textOf({ dir }: Running, name: string): string {
  const file = join(dir, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

/** 0 if there is no writer (yet, or any more); -1 if nothing has been written yet. */
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
