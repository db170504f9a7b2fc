/** The hook process: stdin in, answer out. With entry.ts, the only code that a tool call waits for. */
import fs from 'node:fs';
import { peekEvent } from './glance.ts';
import { runHook } from './hook.ts';
import { SILENT } from './output.ts';
import type { HookOutput } from './output.ts';
import { STDIN_LIMIT_BYTES } from './stdin.ts';
import type { Stdin } from './stdin.ts';

const CHUNK_BYTES = 65_536;

/** Collects until the end or the limit. */
function readStdin(): Stdin {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= STDIN_LIMIT_BYTES) {
    const chunk = readSome();
    if (chunk.length === 0) return { text: Buffer.concat(chunks).toString('utf8'), whole: true, tail: '' };
    chunks.push(chunk);
    size += chunk.length;
  }
  const text = Buffer.concat(chunks).subarray(0, CHUNK_BYTES).toString('utf8');
  return { text, whole: false, tail: tailAfter(chunks, peekEvent(text)) };
}

/** What might be a write is denied at once; the others are read to their end, where the call's id stands. */
function tailAfter(chunks: Buffer[], event: string | null): string {
  if (event === null || event === 'PreToolUse') return '';
  let tail: Buffer = Buffer.concat(chunks.slice(-2));
  for (let chunk = readSome(); chunk.length > 0; chunk = readSome()) {
    tail = Buffer.concat([tail, chunk]).subarray(-CHUNK_BYTES);
  }
  return tail.toString('utf8');
}

/** Nothing at the end, and where stdin is closed or no stream: what is missing makes the event invalid. */
function readSome(): Buffer {
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
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

/** The exit code first: it refuses where nobody takes the text. */
function answer({ exit, stdout, stderr }: HookOutput): void {
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
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** A write about to happen, and let through: what people wait for most, and what uses most of the code. */
const TYPICAL = /"hook_event_name"\s*:\s*"PreToolUse"[^{]*"tool_name"\s*:\s*"(?:Edit|Write)"/;

/** One hook event, answered. True when it was a typical one (entry.ts). */
export function run(): boolean {
  const stdin = readStdin();
  const output = runHook(stdin, { env: process.env, cwd: workingDirectory() });
  answer(output);
  return output === SILENT && TYPICAL.test(stdin.text.slice(0, 4_096));
}
