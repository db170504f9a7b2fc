/** Starts a program of the user's that nothing waits for or depends on. */
import { spawn } from 'node:child_process';
import type { Environment } from './user-dirs.ts';

interface Detached {
  readonly cwd: string;
  readonly env: Environment;
  /** Called if the program cannot be started, now or a moment later. */
  readonly failed: (error: unknown) => void;
}

/**
 * It leads a session of its own and inherits no file.
 * @returns its pid; undefined if it cannot be started. Node throws at once if its arguments or its environment are too large.
 */
export function startDetached(
  [program = '', ...args]: readonly string[],
  { cwd, env, failed }: Detached,
): number | undefined {
  try {
    const call = spawn(program, args, { cwd, env, stdio: 'ignore', detached: true });
    call.on('error', failed);
    call.unref();
    return call.pid;
  } catch (error) {
    failed(error);
    return undefined;
  }
}
