/**
 * Compares shown lines with the same lines on disk. It searches for offsets and never splits into lines, because 1 MB has many.
 *
 * A line here ends with LF, or is the rest after the last one. The client counts one more, empty, line after a final newline
 * (10 lines and a final newline: totalLines 11).
 */
import { areText, decode, detectEncoding, normaliseEnds, withoutBom, type Decoded } from './encoding.ts';
import type { Shown } from './shown-extent.ts';

/** The client's own statement; `count` and `total` in its way of counting, undefined if it does not say. */
export interface ShownLines {
  readonly content: string;
  /** The first line, from 1; the client says 0 if it was asked for line 0. */
  readonly from: number;
  readonly count?: number | undefined;
  readonly total?: number | undefined;
}

const lineEnds = (text: string): number => {
  let ends = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends += 1;
  return ends;
};

/** The offset where a line begins; undefined past the last one. */
function offsetOfLine(text: string, line: number): number | undefined {
  let at = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}

/** The text as a Read shows it: no CR at the end of a line, including the last. */
const asShown = (text: string): string =>
  text.includes('\r') ? normaliseEnds(text).replace(/\r$/, '') : text;

/** Two decoders may write one or three U+FFFD for the same broken sequence. */
const blurred = (text: string): string => text.replaceAll(/\uFFFD+/g, '\uFFFD');

/** Whether `content` consists of whole lines of `text` at `offset`. */
function standsAt(text: string, content: string, offset: number): boolean {
  if (!text.startsWith(content, offset)) return false;
  const end = offset + content.length;
  return end === text.length || text[end] === '\n';
}

export function compareLines(shown: ShownLines, disk: Buffer): Shown {
  if (isAll(shown) && areText(disk, shown.content)) return wholeOf(shown);
  const compared = compareTo(decode(disk), shown);
  if (compared.verdict !== 'different' || detectEncoding(disk).encoding !== 'utf16le') return compared;
  // Up to 2.1.200 a Read decoded UTF-16LE as broken UTF-8.
  return compareTo({ text: disk.toString('utf8'), exact: false }, shown);
}

type AllLines = ShownLines & { readonly total: number };

/** By the client's own statement. */
const isAll = (shown: ShownLines): shown is AllLines =>
  shown.from <= 1 && shown.total !== undefined && shown.count === shown.total;

/** Its lines need not be counted, which takes 1 to 3 ms for 1 MB. */
function wholeOf({ content, total }: AllLines): Shown {
  const lines = content === '' || content.endsWith('\n') ? total - 1 : total;
  return { verdict: 'whole', extent: 'whole', from_line: 1, lines, total_lines: lines };
}

function compareTo({ text: raw, exact }: Pick<Decoded, 'text' | 'exact'>, shown: ShownLines): Shown {
  const legible = exact ? (text: string): string => text : blurred;
  const text = legible(asShown(raw));
  // If a version does show a byte order mark or CRLF, it is the same text.
  const contents = [shown.content, asShown(withoutBom(shown.content))].map(legible);
  const from_line = Math.max(1, shown.from);
  const total = lineEnds(text) + 1;
  const total_lines = text === '' || text.endsWith('\n') ? total - 1 : total;
  const isNothing = shown.count === 0 && shown.content === '';
  const shownEnds = shown.content === text ? total - 1 : lineEnds(shown.content);
  // The empty line after a final newline is not counted.
  const lines = isNothing ? 0 : Math.max(0, Math.min(shownEnds + 1, total_lines - from_line + 1));
  const part = { from_line, lines, total_lines };
  const isSameLength = shown.total === undefined || shown.total === total;
  if (from_line === 1 && contents.includes(text) && isSameLength) {
    return { verdict: exact ? 'whole' : 'unsure', extent: 'whole', ...part };
  }
  const offset = offsetOfLine(text, from_line);
  const isThere =
    isNothing || (offset !== undefined && contents.some((content) => standsAt(text, content, offset)));
  if (!isThere || !isSameLength) return { verdict: 'different', extent: 'part', ...part };
  return { verdict: exact ? 'part' : 'unsure', extent: 'part', ...part };
}
