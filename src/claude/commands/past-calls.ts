// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The tool calls in a session's own transcript. That of a fork begins with a copy of its parent's, with the ids of its calls
 * (2.1.330, `--fork-session`), so an id in it says that this session remembers having made that call.
 */
import fs from 'node:fs';
import { textField } from '../input.ts';
import type { Scene } from '../scene.ts';

/** From the beginning, where a fork has its parent's part. 32 MiB take some 40 ms, and only a command that would be denied reads them. */
const READ_BYTES = 32 << 20;
const CHUNK_BYTES = 1 << 20;
/** Longer than what comes before an id and the id, so that none is lost between two chunks. */
const OVERLAP_CHARS = 256;
/** As the API has it; in what a tool printed the quotation marks are escaped. */
const CALL = /"type":"tool_use","id":"([\w-]{1,100})"/g;

/** Of a subagent none: its transcript is another file. What cannot be read says nothing. */
export function pastCalls({ who, input }: Scene): ReadonlySet<string> {
  const file = textField(input.raw, 'transcript_path');
  if (who.kind !== 'session' || input.host !== 'claude' || !file.startsWith('/')) return new Set();
  try {
    return callsIn(file);
  } catch {
    return new Set();
  }
}

function callsIn(file: string): ReadonlySet<string> {
  const calls = new Set<string>();
  if (!fs.statSync(file).isFile()) return calls;
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    for (let at = 0; at < READ_BYTES;) {
      const got = fs.readSync(fd, chunk, 0, CHUNK_BYTES, at);
      if (got === 0) break;
      const text = rest + chunk.toString('latin1', 0, got);
      for (const [, id = ''] of text.matchAll(CALL)) calls.add(id);
      rest = text.slice(-OVERLAP_CHARS);
      at += got;
    }
  } finally {
    fs.closeSync(fd);
  }
  return calls;
}
