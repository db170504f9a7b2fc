/** Processes in place of clients: they wait for input that never comes, and end with the test worker at the latest. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';

export type Sleeper = ChildProcess & { readonly pid: number };

/** Left by finished tests, for reuse: a worker forks slowly (small-spawns.mjs), and every session needs a process. */
const idle: Sleeper[] = [];

export function sleeper(): Sleeper {
  for (let child = idle.pop(); child !== undefined; child = idle.pop()) if (isAsleep(child)) return child;
  const child = spawn('cat', [], { stdio: ['pipe', 'ignore', 'ignore'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('no cat');
  child.unref();
  (child.stdin as Writable & { unref(): void }).unref();
  return Object.assign(child, { pid });
}

/** No longer used: the next test may have it, if it is unharmed. */
export function release(child: Sleeper): void {
  if (isAsleep(child)) idle.push(child);
  else child.kill('SIGKILL');
}

/** Neither dead (reaped or not) nor stopped nor dying, and no listener here waits for its exit. */
function isAsleep(child: Sleeper): boolean {
  if (child.killed || child.exitCode !== null || child.signalCode !== null) return false;
  if (child.listenerCount('exit') + child.listenerCount('close') > 0) return false;
  try {
    return /^\d+ \(cat\) S /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
