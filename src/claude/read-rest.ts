// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The rest of standard input after more than guard parses. */
import { CHUNK_BYTES, type ReadMore } from './chunk.ts';
import { eventNameIn } from './parse-partial.ts';
import type { Stdin } from './stdin.ts';

export function readRest(chunks: readonly Buffer[], read: ReadMore): Stdin {
  const text = Buffer.concat(chunks).subarray(0, CHUNK_BYTES).toString('utf8');
  return { text, whole: false, tail: tailAfter(chunks, read, eventNameIn(text)) };
}

/** A possible write is denied immediately; any other event is read to its end, which contains the call's id. */
function tailAfter(chunks: readonly Buffer[], read: ReadMore, event: string | null): string {
  if (event === null || event === 'PreToolUse') return '';
  let tail: Buffer = Buffer.concat(chunks.slice(-2));
  for (let chunk = read(); chunk.length > 0; chunk = read()) {
    tail = Buffer.concat([tail, chunk]).subarray(-CHUNK_BYTES);
  }
  return tail.toString('utf8');
}
