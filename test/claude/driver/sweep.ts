/**
 * Removes what tests leave, behind their backs: ext4 takes 2 ms for each directory, and a guarded repository has thirty.
 * One process per test worker, which goes on until all is gone, also when the worker has ended.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

let sweeper: Writable | undefined;

/** Soon, or later: for what nobody looks at again. Whatever still writes there may keep it. */
export function sweep(path: string): void {
  sweeper ??= start();
  sweeper.write(`${path}\0`);
}

function start(): Writable {
  const child = spawn('xargs', ['-0', '-n', '8', 'rm', '-rf'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Nobody waits for it; it knows by the end of its input that the worker is gone.
  child.unref();
  (child.stdin as Writable & { unref(): void }).unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}
