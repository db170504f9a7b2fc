/** Scratch directories and child processes for the store's tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Now } from '../../src/core/types.ts';
import { MEMORY, memoryOr } from '../claude/driver/memory.ts';
import { sweep } from '../claude/driver/sweep.ts';

export const BOOT = 'boot-1';

/** The real monotonic clock, with a boot id that tests choose. */
export function clock(boot: string = BOOT): () => Now {
  return () => ({ mono_ms: Number(process.hrtime.bigint() / 1_000_000n), boot, wall_ms: Date.now() });
}

export function makeDir(root = tmpdir()): string {
  return mkdtempSync(join(root, 'guard-store-'));
}

/** For thousands of stores whose faults are injected in this process: on a disk they cost up to two fifths more processor time. */
export const makeDirInMemory = (): string => makeDir(memoryOr(tmpdir()));

export function removeDir(dir: string): void {
  if (dir.startsWith(`${MEMORY}/`)) rmSync(dir, { recursive: true, force: true });
  else sweep(dir);
}

/** Runs with a scratch directory that is removed afterwards. */
export async function withDir<T>(use: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = makeDir();
  try {
    return await use(dir);
  } finally {
    removeDir(dir);
  }
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whole lines of stdout, parsed as JSON; the last line of a killed process is left out if incomplete. */
  readonly lines: readonly unknown[];
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this many lines have arrived. */
  lines(count: number): Promise<void>;
}

export function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: unknown[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let rest = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part));
    for (const one of waiting) if (lines.length >= one.count) one.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, lines, stderr }));
  });
  return {
    child,
    ended,
    lines: (count) =>
      lines.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
  };
}
