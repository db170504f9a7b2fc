/** Standard input in pieces: the entry looks at the first, to load what the event needs. */
import fs from 'node:fs';
import { blockThread } from '../repo/block-thread.ts';

export const CHUNK_BYTES = 65_536;

/** Nothing at the end, and where stdin is closed or no stream: what is missing makes the event invalid. */
export function readSome(): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    try {
      return chunk.subarray(0, fs.readSync(0, chunk, 0, chunk.length, null));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return chunk.subarray(0, 0);
      pause();
    }
  }
}

/** EAGAIN comes from a terminal or a non-blocking pipe. */
export const pause = (): void => blockThread(2);
