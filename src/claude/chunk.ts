/** Standard input in chunks: the entry looks at the first one to decide what to load for the event. */
import fs from 'node:fs';
import { blockThread } from '../repo/block-thread.ts';

export const CHUNK_BYTES = 65_536;

/** The next chunk of standard input, read into `room` if given; empty at its end. */
export type ReadMore = (room?: Buffer) => Buffer;

/** Empty at the end, and if stdin is closed or not a stream: the missing rest then makes the event invalid. */
export function readSome(chunk: Buffer = Buffer.allocUnsafe(CHUNK_BYTES)): Buffer {
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
