/** The status line that was there before guard's: started at once, so that both are looked up together. */
import { spawn } from 'node:child_process';
import type { Surroundings } from '../../workspace/workspace.ts';

/** The client waits for both. */
const TIMEOUT_MS = 5_000;

/** What it prints; '' where it prints nothing or cannot be started. @param given the same that guard was told */
export function besideLine(command: string, given: string, { cwd, env }: Surroundings): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      ...{ cwd, env, shell: true, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => void (text += more));
    // It need not read what it is told.
    child.stdin.on('error', () => undefined).end(given);
    child.on('error', () => resolve(text)).on('close', () => resolve(text));
    // What it started may outlive it, with its output open.
    setTimeout(() => {
      child.stdout.destroy();
      resolve(text);
    }, TIMEOUT_MS).unref();
  });
}
