/** Processes that stand for clients: they sleep. */
import { type ChildProcess, spawn } from 'node:child_process';

export type Sleeper = ChildProcess & { readonly pid: number };

export function sleeper(): Sleeper {
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
  const { pid } = child;
  if (pid === undefined) throw new Error('no sleep');
  return Object.assign(child, { pid });
}
