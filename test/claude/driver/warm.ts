/**
 * What the built program does with an event or a command, from a process that is there already: starting Node costs more
 * than what guard then does. One process per test worker, started by its first request; one request at a time, whose
 * standard streams are files.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
const GUARD = join(PACKAGE, 'bin/guard.mjs');

/** They serve whoever speaks to their standard streams, until they are stopped. */
const SERVERS: ReadonlySet<string> = new Set(['mcp', 'serve']);

/** What is read before the program is. */
const OF_THE_START = /^(?:NODE_|LD_|DYLD_)/;

/** True for what this package's own hook and commands do. GUARD_TEST_PROCESSES=1 starts a process for each of them. */
export function canWarm({ args, cwd, env }: Request): boolean {
  const [program = '', command = ''] = args;
  if (process.env['GUARD_TEST_PROCESSES'] === '1') return false;
  if (program !== HOOK && (program !== GUARD || SERVERS.has(command))) return false;
  return !Object.keys(env).some((name) => OF_THE_START.test(name)) && fs.existsSync(cwd);
}

const SERVER = join(import.meta.dirname, 'warm-process.mjs');
const PAUSE_MS = 0.3;

interface Running {
  readonly child: ChildProcess;
  /** Descriptors of what it reads and writes. */
  readonly asked: number;
  readonly told: number;
}

export class Warm {
  readonly #dir = fs.mkdtempSync(join(tmpdir(), 'guard-warm-'));
  #running: Running | undefined;

  constructor() {
    execFileSync('mkfifo', ['-m', '600', this.#file('asked'), this.#file('told')]);
  }

  /** @throws Error with the code ETIMEDOUT, and where the process died */
  ask({ args, cwd, env, stdin }: Request, timeout_ms: number): Told {
    fs.writeFileSync(this.#file('stdin'), stdin);
    this.#running ??= this.#start();
    fs.writeSync(this.#running.asked, `${JSON.stringify({ args, cwd, env })}\n`);
    const line = this.#answer(this.#running, performance.now() + timeout_ms);
    const [exit, gone] = line.trim().split(' ');
    if (gone !== undefined) this.#leave(this.#running);
    return { exit: Number(exit), stdout: this.#text('stdout'), stderr: this.#text('stderr') };
  }

  #start(): Running {
    // Nobody waits at either end: a FIFO opened for both has a reader and a writer.
    const asked = fs.openSync(this.#file('asked'), 'r+');
    const told = fs.openSync(this.#file('told'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const files = ['asked', 'told', 'stdin', 'stdout', 'stderr'].map((name) => this.#file(name));
    const child = spawn(process.execPath, [SERVER, ...files, DIST], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.unref();
    return { child, asked, told };
  }

  #leave({ child, asked, told }: Running): void {
    child.kill('SIGKILL');
    fs.closeSync(asked);
    fs.closeSync(told);
    this.#running = undefined;
  }

  #answer(running: Running, until_ms: number): string {
    const bytes = Buffer.alloc(64);
    let is_there = false;
    while (performance.now() < until_ms) {
      const size = readSome(running.told, bytes);
      if (size > 0) return bytes.toString('latin1', 0, size);
      if (size === 0 && is_there) break;
      is_there ||= size !== 0;
      pause();
    }
    this.#leave(running);
    throw Object.assign(new Error(`no answer: ${this.#text('stderr')}`), { code: 'ETIMEDOUT' });
  }

  #file = (name: string): string => join(this.#dir, name);
  #text = (name: string): string => fs.readFileSync(this.#file(name), 'utf8');
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

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
