/** Runs of lines that occur, in the same order, both in a file and in the printed output. */
import type { Range } from '../../core/rules/baseline.ts';
import type { ShownLine } from './proof-views.ts';

/**
 * How long a single run must be to rule out chance: non-blank characters for a whole file, lines and characters for several
 * lines, characters for one line.
 */
const WHOLE_CHARS = 12;
const PART_LINES = 3;
const PART_CHARS = 24;
const LINE_CHARS = 48;
/** How many occurrences of a repeated line in a file are tried. */
const PLACES_MAX = 50;

export interface File {
  readonly lines: readonly string[];
  /** The first non-blank line, and the one after the last: blank ends are not shown. */
  readonly from: number;
  readonly to: number;
  readonly placesOf: (line: string) => readonly number[];
}

/** The number of lines that may still be compared, for one command's output, all files and all views together. */
export interface Effort {
  left: number;
}

export interface Runs {
  readonly is_whole: boolean;
  /** `line`: the line in the output, from 0. */
  readonly runs: readonly { readonly line: number; readonly length: number; readonly range: Range }[];
}

interface Run {
  readonly at: number;
  readonly length: number;
  /** An equally long run begins elsewhere in the file. */
  readonly is_ambiguous: boolean;
}

export function fileOf(text: string, wanted: ReadonlySet<string>): File {
  const lines = text.replace(/\n$/, '').split('\n');
  const isBlank = (at: number): boolean => (lines[at] ?? '').trim() === '';
  let [from, to] = [0, lines.length];
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return { lines, from, to, placesOf: placesIn(lines, wanted) };
}

/** Only lines that a view of the output may contain are indexed, because the file may be long. */
function placesIn(lines: readonly string[], wanted: ReadonlySet<string>): File['placesOf'] {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    if (!wanted.has(line)) continue;
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else if (known.length < PLACES_MAX) known.push(at);
  }
  return (line) => places.get(line) ?? [];
}

export function runsIn(file: File, shown: readonly ShownLine[], effort: Effort): Runs {
  const runs: Runs['runs'][number][] = [];
  let is_whole = false;
  effort.left -= shown.length;
  for (let line = 0; line < shown.length && effort.left > 0;) {
    const run = longestAt(file, shown, line, effort);
    if (run === null) {
      line++;
      continue;
    }
    const { at, length, is_ambiguous } = run;
    const chars = file.lines
      .slice(at, at + length)
      .join('')
      .replace(/\s/g, '').length;
    const is_all = at <= file.from && at + length >= file.to;
    const is_proven = is_all
      ? chars >= WHOLE_CHARS || length === shown.length
      : !is_ambiguous && isEnough(run, chars, shown[line]);
    is_whole ||= is_all && is_proven;
    if (is_proven) runs.push({ line, length, range: rangeOf(file, at, at + length) });
    line += length;
  }
  return { is_whole, runs };
}

const isEnough = ({ length }: Run, chars: number, line: ShownLine | undefined): boolean =>
  line !== undefined && line.number > 0
    ? chars > 0
    : chars >= LINE_CHARS || (length >= PART_LINES && chars >= PART_CHARS);

/** Blank ends, which are not shown, belong to the lines next to them. */
const rangeOf = ({ lines, from, to }: File, at: number, end: number): Range => [
  at <= from ? 1 : at + 1,
  end >= to ? lines.length : end,
];

function longestAt(file: File, shown: readonly ShownLine[], nth: number, effort: Effort): Run | null {
  const line = shown[nth];
  if (line === undefined || line.text === null || line.text.trim() === '') return null;
  const runs = placesFor(file, line).map((at) => ({ at, length: lengthOf(file, shown, nth, at) }));
  for (const { length } of runs) effort.left -= length;
  const longest = Math.max(0, ...runs.map(({ length }) => length));
  const [best, ...others] = runs.filter(({ length }) => length === longest);
  return best === undefined ? null : { ...best, is_ambiguous: others.length > 0 };
}

function placesFor({ lines, placesOf }: File, { text, number }: ShownLine): readonly number[] {
  if (number === 0) return placesOf(text ?? '');
  return lines[number - 1] === text ? [number - 1] : [];
}

function lengthOf({ lines }: File, shown: readonly ShownLine[], nth: number, at: number): number {
  const isNumbered = (shown[nth]?.number ?? 0) > 0;
  const isNext = (offset: number): boolean => {
    const line = shown[nth + offset];
    if (line === undefined || at + offset >= lines.length) return false;
    return line.text === lines[at + offset] && (!isNumbered || line.number === at + offset + 1);
  };
  let length = 1;
  while (isNext(length)) length++;
  // The end of the output was trimmed.
  const last = shown[nth + length];
  const isLast = nth + length === shown.length - 1 && at + length < lines.length;
  return isLast && last?.text === lines[at + length]?.trimEnd() ? length + 1 : length;
}
