/** What a hook process reads and writes. */
import { attempt } from '../core/attempt.ts';
import fs from 'node:fs';
import { pause, type ReadMore } from './chunk.ts';
import type { HookOutput } from './output.ts';
import { readRest } from './read-rest.ts';
import { type Stdin, STDIN_LIMIT_BYTES } from './stdin.ts';

/** Memory that nothing was written to costs nothing, so this may be more than nearly every event needs. */
const ROOM_BYTES = 2 * 1024 * 1024;

/** Reads until the end or the limit. Most events are one chunk; a longer one is read into one buffer, not joined from many. */
export function readStdin(first: Buffer, read: ReadMore): Stdin {
  let [bytes, size] = [first, first.length];
  for (let chunk = size === 0 ? first : read(); chunk.length > 0; chunk = read(bytes.subarray(size))) {
    if (bytes === first) bytes = joined(first, chunk);
    size += chunk.length;
    if (size > STDIN_LIMIT_BYTES) return readRest(bytes.subarray(0, size), read);
    if (size === bytes.length) bytes = joined(bytes);
  }
  return { text: bytes.toString(undefined, 0, size), whole: true, tail: '' };
}

/** In a buffer with room for more. */
function joined(first: Uint8Array, second: Uint8Array = new Uint8Array()): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(ROOM_BYTES, 2 * (first.length + second.length)));
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Sets the exit code first: it refuses even if no one reads the text. */
export function writeAnswer({ exit, stdout, stderr }: HookOutput): void {
  process.exitCode = exit;
  writeAll(1, stdout);
  writeAll(2, stderr);
}

/** `fs.writeSync` costs nothing in a cold process, `process.stdout.write` 3 ms (measured). */
function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      pause();
    }
  }
}

/** A directory that was removed under a running client has no name. */
export const workingDirectory = (): string => attempt(() => process.cwd(), '/');
