/** The status line that was there before guard's: started right away, so that both are prepared in parallel. */
import { spawn } from 'node:child_process';
import type { Surroundings } from '../../workspace/workspace.ts';

/** The client waits for both. */
const TIMEOUT_MS = 5_000;

/** What it prints; '' if it prints nothing or cannot be started. @param given the input that guard itself got */
export function besideLine(command: string, given: string, { cwd, env }: Surroundings): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      ...{ cwd, env, shell: true, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => void (text += more));
    // It need not read its input.
    child.stdin.on('error', () => undefined).end(given);
    child.on('error', () => resolve(text)).on('close', () => resolve(text));
    // A process that it started may outlive it, with its output open.
    setTimeout(() => {
      child.stdout.destroy();
      resolve(text);
    }, TIMEOUT_MS).unref();
  });
}
