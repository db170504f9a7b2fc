/** Ends a server that has been idle for a while, or is no longer the one that launchers look for. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';

const LOOK_MS = 5_000;
/** Four times what it uses after ten thousand events. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024;

export interface Watched {
  readonly idle_ms: number;
  readonly state_dir: string;
  /** The server's own program, and its socket. */
  readonly files: readonly string[];
  readonly end: () => void;
}

/** Returns a function to call at each event. */
export function watch({ idle_ms, state_dir, files, end }: Watched): () => void {
  const looks = [...files, join(state_dir, 'install.json')];
  const before = looks.map(identity);
  const idle = setTimeout(end, idle_ms);
  const isSame = (): boolean => looks.every((file, at) => identity(file) === before[at]);
  setInterval(() => {
    if (!isSame() || process.memoryUsage.rss() > MEMORY_MAX_BYTES) end();
  }, LOOK_MS).unref();
  return () => void idle.refresh();
}

const identity = (file: string): string =>
  attempt(() => statSync(file, { throwIfNoEntry: false }), undefined)?.ino.toString() ?? 'gone';
