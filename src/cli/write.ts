import { writeSync } from 'node:fs';
import { blockThread } from '../repo/block-thread.ts';

const RETRY_PAUSE_MS = 5;

/**
 * Writes everything synchronously, so that all output is out before the process ends. A full non-blocking pipe (EAGAIN) is
 * tried again. If the reader has gone away (EPIPE, as in `guard log | head`), it wanted no more, which is not a failure.
 */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      blockThread(RETRY_PAUSE_MS);
    }
  }
}
