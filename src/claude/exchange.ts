/** What a hook process reads and writes. */
import { attempt } from '../core/attempt.ts';
import fs from 'node:fs';
import { oneBuffer } from '../repo/one-buffer.ts';
import { pause, type ReadMore } from './chunk.ts';
import { type HookOutput, SILENT } from './output.ts';
import { readRest } from './read-rest.ts';
import { type Stdin, STDIN_LIMIT_BYTES } from './stdin.ts';

/** Reads until the end or the limit. */
export function readStdin(first: Buffer, read: ReadMore): Stdin {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let chunk = first; size <= STDIN_LIMIT_BYTES; chunk = read()) {
    if (chunk.length === 0) return { text: oneBuffer(chunks).toString(), whole: true, tail: '' };
    chunks.push(chunk);
    size += chunk.length;
  }
  return readRest(chunks, read);
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

/** The kind of answer, for the code that keeps the compiled form (entry.ts); 'silent': there was nothing to say. */
export type Kind = 'typical' | 'silent' | 'told';

export const kindOfAnswer = (output: HookOutput): Kind =>
  output.is_typical ? 'typical' : output === SILENT ? 'silent' : 'told';
