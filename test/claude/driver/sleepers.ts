/** Processes that stand for clients: they sleep. Those that a test has left alone stand for another client in the next. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import type { Writable } from 'node:stream';

export type Sleeper = ChildProcess & { readonly pid: number };

const rested: Sleeper[] = [];

/** Ends with this process at the latest. */
export function client(): Sleeper {
  for (let one = rested.pop(); one !== undefined; one = rested.pop()) {
    if (isWell(one)) return one;
    one.kill('SIGKILL');
  }
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  (child.stdin as Writable & { unref(): void }).unref();
  return started(child);
}

export const restAll = (clients: readonly Sleeper[]): void => void rested.push(...clients);

/** For tests that end it. */
export const sleeper = (): Sleeper => started(spawn('sleep', ['3600'], { stdio: 'ignore' }));

function started(child: ChildProcess): Sleeper {
  const { pid } = child;
  if (pid === undefined) throw new Error('nobody sleeps');
  child.unref();
  return Object.assign(child, { pid });
}

/** Neither ended nor stopped. Where the system does not say, none is taken again. */
function isWell({ pid }: Sleeper): boolean {
  try {
    return /^\d+ \(cat\) S /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
