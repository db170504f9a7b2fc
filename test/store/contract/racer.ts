/** A process that runs tasks of worker.ts one after the other: starting one takes longer than most tasks. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Racer {
  /** The lines of the task. Rejects if the task fails or the process dies. */
  run(call: readonly string[]): Promise<unknown[]>;
  end(): void;
}

/** What the process writes: a line of the task, its end, or its failure. */
type Said = { readonly line: unknown } | { readonly failed: string } | { readonly ended: true };

interface Running {
  readonly lines: unknown[];
  resolve(lines: unknown[]): void;
  reject(error: Error): void;
}

export function startRacer(program: string): Racer {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  let running: Running | undefined;
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (text) => {
    const said = JSON.parse(text) as Said;
    if ('line' in said) running?.lines.push(said.line);
    else if ('failed' in said) running?.reject(new Error(`a racing process failed: ${said.failed}`));
    else running?.resolve(running.lines);
  });
  child.on('close', (code, signal) =>
    running?.reject(new Error(`a racing process ended: ${code ?? signal ?? ''} ${stderr}`)),
  );
  return {
    run: (call) =>
      new Promise((resolve, reject) => {
        running = { lines: [], resolve, reject };
        child.stdin.write(`${JSON.stringify(call)}\n`);
      }),
    end: () => child.stdin.end(),
  };
}
