/** The beginning of a transcript: when and where it begins, and whether it repeats another session's history. */
import { basename } from 'node:path';
import { rawLines } from './lines.ts';
import { toldIn, type ToldLine } from './parse-line.ts';

export interface SizedFile {
  readonly file: string;
  readonly bytes: number;
}

const PEEKED_BYTES = 512 * 1024;
const CHUNK_BYTES = 32 * 1024;

function* beginningIn({ file, bytes }: SizedFile): Generator<ToldLine, void> {
  const source = {
    file,
    bytes: Math.min(bytes, PEEKED_BYTES),
    chunk_bytes: CHUNK_BYTES,
    onRead: () => undefined,
  };
  for (const { text } of rawLines(source)) {
    const line = text === null ? null : toldIn(text, basename(file, '.jsonl'));
    if (line) yield line;
  }
}

/** Its first relevant line; null if there is none in the first half megabyte. */
export const firstLineOf = (file: SizedFile): ToldLine | null => beginningIn(file).next().value ?? null;

/**
 * A fork repeats the lines of its session with the old times and uuids, but under the id of its own first prompt. Its first two
 * prompts therefore have the same id, unlike those of the original (measured on 2.1.330).
 */
export function isForked(file: SizedFile): boolean {
  let first: string | undefined;
  for (const { is_prompt, prompt } of beginningIn(file)) {
    if (!is_prompt) continue;
    if (first !== undefined) return prompt !== '' && prompt === first;
    first = prompt;
  }
  return false;
}
