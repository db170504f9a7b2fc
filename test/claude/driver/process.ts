/** Real guard processes, started as by the client: a clean environment, the event on stdin, the answer as data. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { answered } from './tick.ts';
import { canWarm, Warm } from './warm.ts';
import { ask } from './warm-pool.mjs';

/** The package under test. */
export const PACKAGE = join(import.meta.dirname, '../../..');
export const HOOK = join(PACKAGE, 'dist/hook.cjs');
export const GUARD = join(PACKAGE, 'bin/guard.cjs');

export type Env = Readonly<Record<string, string>>;

export interface Finished {
  /** Exit code; null if a signal ended it. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly took_ms: number;
}

export interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Env;
  readonly stdin?: string | Buffer;
  readonly program?: string;
  readonly timeout_ms?: number;
  /** Starts a separate process, for tests about the process itself. */
  readonly apart?: boolean;
}

const LIMIT_MS = 40_000;
const MAX_BUFFER = 64 * 1024 * 1024;

let warm: Warm | undefined;

export function runNow(asked: Start): Finished {
  const { args, cwd, env, stdin = '', timeout_ms = LIMIT_MS, apart = false } = asked;
  const program = asked.program ?? process.execPath;
  const begin = performance.now();
  const request = { args, cwd, env, stdin };
  if (!apart && program === process.execPath && canWarm(request)) {
    warm ??= new Warm();
    const told = warm.ask(request, timeout_ms);
    answered();
    return { ...told, took_ms: performance.now() - begin };
  }
  const done = spawnSync(program, args, {
    cwd,
    env,
    input: stdin,
    timeout: timeout_ms,
    maxBuffer: MAX_BUFFER,
    killSignal: 'SIGKILL',
  });
  const took_ms = performance.now() - begin;
  if (done.error !== undefined && !isReaderGone(done.error)) throw done.error;
  return { exit: done.status, stdout: text(done.stdout), stderr: text(done.stderr), took_ms };
}

/** A process may answer before it has read all of its input, which breaks the pipe. */
const isReaderGone = (error: Error): boolean => 'code' in error && error.code === 'EPIPE';

const text = (bytes: Buffer): string => bytes.toString('utf8');

export interface Running {
  readonly pid: number;
  readonly done: Promise<Finished>;
  /** Standard output so far. */
  readonly told: () => string;
  signal(name: NodeJS.Signals): void;
}

/** Starts a hook without waiting for it, for races; each has its own process, which may have answered earlier hooks. */
export async function hookLater(asked: Start): Promise<Finished> {
  const { args, cwd, env, stdin = '', apart = false } = asked;
  const request = { args, cwd, env, stdin };
  if (apart || !canWarm(request)) return runLater(asked).done;
  const begin = performance.now();
  const told = await ask(request);
  answered();
  return { ...told, took_ms: performance.now() - begin };
}

/** Starts a separate process without waiting for it. */
export function runLater({ args, cwd, env, stdin = '', program = process.execPath }: Start): Running {
  const begin = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const done = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) =>
      resolve({
        exit,
        stdout: text(Buffer.concat(out)),
        stderr: text(Buffer.concat(err)),
        took_ms: performance.now() - begin,
      }),
    );
  });
  if (child.pid === undefined) throw new Error(`${program} did not start`);
  return {
    pid: child.pid,
    done,
    told: () => text(Buffer.concat(out)),
    signal: (name) => void child.kill(name),
  };
}
