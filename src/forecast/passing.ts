/** A temporary directory outside of every repository. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onSignals } from '../repo/on-signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The directory is removed when the process ends, too: Ctrl-C stops everything and leaves nothing behind. */
export async function inPassing<T>(name: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), name)));
  const clear = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  const end = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  process.once('exit', clear);
  const deaf = onSignals(SIGNALS, end, 'once');
  try {
    return await work(dir);
  } finally {
    deaf();
    process.off('exit', clear);
    clear();
  }
}
