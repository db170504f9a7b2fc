// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The exact difference between two texts, for an agent that must know it without reading the file again: the changed
 * lines as in a unified diff without context, and text for what lines do not show. Loads the `diff` package (9 KB of
 * the bundle): keep it out of the hook's first file.
 */
import { structuredPatch } from 'diff';
import { endsOf, normaliseEnds } from './encoding.ts';

export interface Difference {
  readonly text: string;
  /** False if it is only a summary; the agent still has to read the file. */
  readonly whole: boolean;
}

/** Texts that differ in more lines (inserted and deleted) are not shown; searching further takes over 50 ms in 1 MB. */
const CHANGED_LINES_MAX = 500;

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const summary = (before: string, after: string): Difference => ({
  text: `too much changed to show it here: ${countLines(before)} lines became ${countLines(after)}`,
  whole: false,
});

const ENDS = { none: 'no line ends', lf: 'LF', crlf: 'CR LF', mixed: 'LF and CR LF' } as const;

/** Changed lines are shown without their endings, so a change of those is reported as text. */
function endsChange(before: string, after: string): string[] {
  const [old, now] = [endsOf(before), endsOf(after)];
  if (old === now)
    return old === 'mixed' && before !== after ? ['line ends: LF and CR LF, perhaps in other places'] : [];
  return old === 'none' || now === 'none' ? [] : [`line ends: ${ENDS[old]} before, ${ENDS[now]} now`];
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** If a side has no lines, its number is that of the preceding line, as in every unified diff. */
const place = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

const shown = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string =>
  [`@@ -${place(oldStart, oldLines)} +${place(newStart, newLines)} @@`, ...lines].join('\n');

/** Undefined if the texts differ too much. */
const patchOf = (before: string, after: string) =>
  structuredPatch('', '', normaliseEnds(before), normaliseEnds(after), '', '', {
    context: 0,
    maxEditLength: CHANGED_LINES_MAX,
  });

/** `max_chars` bounds a whole difference; a summary is shorter than 100 characters. */
export function describeDifference(
  before: string,
  after: string,
  limits: { readonly max_chars: number },
): Difference {
  const patch = patchOf(before, after);
  if (!patch) return summary(before, after);
  const text = [...endsChange(before, after), ...patch.hunks.map(shown)].join('\n');
  return text.length > limits.max_chars ? summary(before, after) : { text, whole: true };
}

/**
 * As much of a difference as fits, in whole hunks from the top; `omitted_lines`: the number of changed lines left out.
 * Null if the texts differ too much to compare.
 */
export function someDifference(
  before: string,
  after: string,
  max_chars: number,
): { readonly diff: string; readonly omitted_lines: number } | null {
  const patch = patchOf(before, after);
  if (!patch) return null;
  const parts: string[] = endsChange(before, after);
  let left = max_chars - parts.join('\n').length;
  let omitted_lines = 0;
  for (const hunk of patch.hunks) {
    const text = shown(hunk);
    if (omitted_lines > 0 || text.length + 1 > left) omitted_lines += hunk.lines.length;
    else parts.push(text);
    left -= text.length + 1;
  }
  return { diff: parts.join('\n'), omitted_lines };
}
