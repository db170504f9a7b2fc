/**
 * Reads the lines of a transcript in chunks, and reopens the file for each chunk: thousands of transcripts that overlap in time
 * then do not each need a descriptor. A file that grows meanwhile is read only up to its initial length.
 */
import fs from 'node:fs';

export interface LineSource {
  readonly file: string;
  readonly bytes: number;
  readonly chunk_bytes: number;
  /** Called after each chunk with its length. */
  readonly onRead: (bytes: number) => void;
}

/** `is_ended`: whether the line ends with a newline. `text` is null for a line longer than the limit. */
export interface RawLine {
  readonly text: string | null;
  readonly is_ended: boolean;
}

/** The client itself keeps no text above some 11 MB; a longer line comes from another program. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 10;

export function* rawLines(source: LineSource): Generator<RawLine, void> {
  let parts: Buffer[] = [];
  let length = 0;
  const finish = (is_ended: boolean): RawLine => {
    const text = length > LINE_BYTES_MAX ? null : Buffer.concat(parts).toString('utf8');
    parts = [];
    length = 0;
    return { text, is_ended };
  };
  for (let at = 0; at < source.bytes;) {
    const chunk = readAt(source, at);
    if (chunk.length === 0) break;
    at += chunk.length;
    source.onRead(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      length += end - from;
      parts.push(chunk.subarray(from, end));
      yield finish(true);
      from = end + 1;
    }
    if (from === chunk.length) continue;
    length += chunk.length - from;
    // A line that is too long is counted, but not kept.
    if (length > LINE_BYTES_MAX) parts = [];
    else parts.push(chunk.subarray(from));
  }
  if (length > 0) yield finish(false);
}

function readAt({ file, bytes, chunk_bytes }: LineSource, at: number): Buffer {
  const fd = fs.openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunk_bytes, bytes - at));
    return chunk.subarray(0, fs.readSync(fd, chunk, 0, chunk.length, at));
  } finally {
    fs.closeSync(fd);
  }
}
