/**
 * Removes files left by tests, in the background: ext4 takes 2 ms per directory, and a guarded repository has thirty.
 * One process per test worker, which continues until all are gone, even after the worker has ended.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

let sweeper: Writable | undefined;

/** Removes it at some later time, for files no longer needed. A process that still writes there may keep it. */
export function sweep(path: string): void {
  sweeper ??= start();
  sweeper.write(`${path}\0`);
}

function start(): Writable {
  const child = spawn('xargs', ['-0', '-n', '8', 'rm', '-rf'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // The worker does not wait for it; the end of its input shows that the worker is gone.
  child.unref();
  (child.stdin as Writable & { unref(): void }).unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}
