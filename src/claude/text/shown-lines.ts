/** Shown lines against the same lines on disk. Offsets are searched, lines never split: 1 MB has many. */
import { decode, normaliseEnds, withoutBom } from './encoding.ts';
import type { Shown } from './shown.ts';

export interface Lines {
  readonly content: string;
  /** First line, from 1; the client says 0 for 1 when it was asked for line 0. */
  readonly from: number;
  /** How many lines the client says it showed. */
  readonly count?: number | undefined;
}

const countEnds = (text: string, upTo = text.length): number => {
  let ends = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < upTo; at = text.indexOf('\n', at + 1)) ends += 1;
  return ends;
};

/** Where a line begins; undefined past the last one. */
function offsetOfLine(text: string, line: number): number | undefined {
  let at = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}

/** Different decoders may write one or three U+FFFD for the same broken sequence. */
const blurred = (text: string): string => text.replaceAll(/\uFFFD+/g, '\uFFFD');

/** True when `content` is whole lines of `text` from `offset` on. */
function standsAt(text: string, content: string, offset: number): boolean {
  if (!text.startsWith(content, offset)) return false;
  const end = offset + content.length;
  return end === text.length || text[end] === '\n';
}

export function compareLines(shown: Lines, disk: Buffer): Shown {
  const decoded = decode(disk);
  const text = (decoded.exact ? normaliseEnds : (raw: string) => blurred(normaliseEnds(raw)))(decoded.text);
  const seen = normaliseEnds(withoutBom(shown.content));
  const content = decoded.exact ? seen : blurred(seen);
  const proven = (verdict: 'whole' | 'part') => (decoded.exact ? verdict : 'unsure');
  const from_line = Math.max(1, shown.from);
  const total_lines = countEnds(text) + 1;
  if (from_line === 1 && content === text) {
    return { verdict: proven('whole'), extent: 'whole', from_line, lines: total_lines, total_lines };
  }
  if (content === '' && shown.count === 0)
    return { verdict: proven('part'), extent: 'part', from_line, lines: 0, total_lines };
  const offset = offsetOfLine(text, from_line);
  const lines = countEnds(content) + 1;
  const extent = 'part';
  if (offset === undefined || !standsAt(text, content, offset))
    return { verdict: 'different', extent, from_line, lines, total_lines };
  return { verdict: proven('part'), extent, from_line, lines, total_lines };
}
