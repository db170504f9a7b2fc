/**
 * Which lines of a file appear in what a command printed. The command itself is not considered: bytes that an agent was
 * shown are known to it, whichever program printed them.
 */
import { isUtf8 } from 'node:buffer';
import type { Range } from '../../core/rules/baseline.ts';
import { mergeRanges } from '../../core/rules/knowledge.ts';
import { type Effort, fileOf, type Runs, runsIn } from './proof-runs.ts';
import { VIEWS } from './proof-views.ts';

export type Proof =
  | { readonly whole: true }
  /** In order, without touching each other. `total_lines`: the number of lines in the file. */
  | { readonly whole: false; readonly ranges: readonly Range[]; readonly total_lines: number };

export interface Shower {
  /** An absolute path. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Where a part of a file appears in the output. */
interface Piece {
  readonly file: number;
  readonly text: number;
  readonly line: number;
  readonly length: number;
  readonly range: Range;
}

interface Look {
  readonly is_whole: boolean;
  readonly pieces: readonly Piece[];
  readonly total_lines: number;
}

/** Lines compared in about half a second. More output, or more files, than this is not reading. */
const EFFORT = 2_000_000;

/**
 * For each file, in order; null if nothing of it was shown. `shown`: texts, each of which was shown in one piece. Lines that several
 * files have (a licence, imports) count for the file with the longest run that contains them, or, if that is ambiguous, for none.
 */
export function proofsOf(files: readonly Shower[], shown: readonly string[]): readonly (Proof | null)[] {
  const effort = { left: EFFORT };
  const printed = shown.map((text) => text.split('\n'));
  const wanted = new Set(printed.flat());
  const looks = files.map((file, nth) =>
    effort.left > 0 ? lookAt(file, nth, { printed, wanted, effort }) : null,
  );
  // It is unknown which other files had these lines.
  if (effort.left <= 0) return looks.map((look) => (look?.is_whole === true ? { whole: true } : null));
  const pieces = looks.flatMap((look) => look?.pieces ?? []);
  return looks.map((look) => (look === null ? null : proofIn(look, pieces)));
}

function proofIn({ is_whole, pieces, total_lines }: Look, all: readonly Piece[]): Proof | null {
  if (is_whole) return { whole: true };
  const own = pieces.filter((piece) => !all.some((other) => isPrintedFrom(other, piece)));
  const ranges = mergeRanges(own.map(({ range }) => range));
  const [first, ...rest] = ranges;
  if (first === undefined) return null;
  const isAll = rest.length === 0 && first[0] <= 1 && first[1] >= total_lines;
  return isAll ? { whole: true } : { whole: false, ranges, total_lines };
}

/** Another file has an equally long or longer run of these lines. */
const isPrintedFrom = (other: Piece, { file, text, line, length }: Piece): boolean =>
  other.file !== file &&
  other.text === text &&
  other.line < line + length &&
  line < other.line + other.length &&
  other.length >= length;

interface Printed {
  readonly printed: readonly (readonly string[])[];
  /** Every line of it. */
  readonly wanted: ReadonlySet<string>;
  readonly effort: Effort;
}

function lookAt({ bytes, name }: Shower, nth: number, { printed, wanted, effort }: Printed): Look | null {
  if (!isUtf8(bytes) || bytes.includes(0)) return null;
  const file = fileOf(bytes.toString('utf8'), wanted);
  if (file.from >= file.to) return null;
  const found = printed.flatMap((lines, text) =>
    VIEWS.map((view) => {
      const shown = lines.map((line) => view(line, name));
      return piecesIn(runsIn(file, shown, effort), nth, text);
    }),
  );
  return {
    is_whole: found.some(({ is_whole }) => is_whole),
    pieces: found.flatMap(({ pieces }) => pieces),
    total_lines: file.lines.length,
  };
}

const piecesIn = ({ is_whole, runs }: Runs, file: number, text: number) => ({
  is_whole,
  pieces: runs.map((run): Piece => ({ ...run, file, text })),
});
