// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The rest of standard input after more than guard parses. */
import { CHUNK_BYTES, type ReadMore } from './chunk.ts';
import { eventNameIn } from './parse-partial.ts';
import type { Stdin } from './stdin.ts';

/** @param begun all that was read so far */
export function readRest(begun: Buffer, read: ReadMore): Stdin {
  const text = begun.subarray(0, CHUNK_BYTES).toString('utf8');
  return { text, whole: false, tail: tailAfter(begun, read, eventNameIn(text)) };
}

/** A possible write is denied immediately; any other event is read to its end, which contains the call's id. */
function tailAfter(begun: Buffer, read: ReadMore, event: string | null): string {
  if (event === null || event === 'PreToolUse') return '';
  let tail: Buffer = begun.subarray(-CHUNK_BYTES);
  for (let chunk = read(); chunk.length > 0; chunk = read()) {
    tail = Buffer.concat([tail, chunk]).subarray(-CHUNK_BYTES);
  }
  return tail.toString('utf8');
}
