// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The tool calls in a session's own transcript. A fork's transcript begins with a copy of its parent's, including the ids of
 * its calls (2.1.330, `--fork-session`), so an id in it shows that this session remembers having made that call.
 */
import fs from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { attempt } from '../../core/attempt.ts';
import { asFields, textField } from '../input.ts';
import type { Hook } from '../context.ts';

/** From the start, where a fork has its parent's part. 32 MiB take some 85 ms of CPU time, and are read only for a command that would be denied. */
const READ_BYTES = 32 << 20;
const CHUNK_BYTES = 1 << 20;
/** No message of the model is this long; a result with pictures may be, and is skipped. */
const LINE_CHARS = 4 << 20;

/** Empty for a subagent, whose transcript is another file, and for a transcript that cannot be read. */
export function pastCalls({ who, input }: Hook): ReadonlySet<string> {
  const file = textField(input.raw, 'transcript_path');
  if (who.kind !== 'session' || input.host !== 'claude' || !file.startsWith('/')) return new Set();
  return attempt(() => new Set(linesOf(file).flatMap(callsIn)), new Set());
}

/** As the API writes it. Arguments and output of tools can contain the same text, so the line is parsed. */
const CALL = '"type":"tool_use"';

const callsIn = (line: string): readonly string[] =>
  attempt(() => {
    const entry = asFields(JSON.parse(line));
    const { content } = asFields(entry['message']);
    if (entry['type'] !== 'assistant' || !Array.isArray(content)) return [];
    return content
      .map(asFields)
      .filter(({ type }) => type === 'tool_use')
      .map((call) => textField(call, 'id'));
  }, []);

/** The lines that may contain a call. */
function linesOf(file: string): readonly string[] {
  const lines: string[] = [];
  if (!fs.statSync(file).isFile()) return lines;
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let at = 0; at < READ_BYTES;) {
      const got = fs.readSync(fd, chunk, 0, CHUNK_BYTES, at);
      if (got === 0) break;
      at += got;
      const parts = (rest + decoder.write(chunk.subarray(0, got))).split('\n');
      rest = parts.pop() ?? '';
      // The remaining part would not be valid JSON.
      if (rest.length > LINE_CHARS) rest = '';
      lines.push(...parts.filter((line) => line.includes(CALL)));
    }
    if (rest.includes(CALL)) lines.push(rest);
  } finally {
    fs.closeSync(fd);
  }
  return lines;
}
