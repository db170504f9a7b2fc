/**
 * The exact difference between two texts, for an agent that must know it without reading the file again.
 * Loads the `diff` package: keep it out of the hook's first file.
 */
import { structuredPatch } from 'diff';
import { endsOf, normaliseEnds } from './encoding.ts';

export interface Difference {
  readonly text: string;
  /** False: only a summary; the agent still has to read the file. */
  readonly whole: boolean;
}

/** More changed lines than this are never told, so never searched: the search grows with their square. */
const EDITS_MAX = 2_000;

const countLines = (text: string): number => text.split('\n').length;

function summary(before: string, after: string): Difference {
  return {
    text: `too many changes to show: ${countLines(before)} lines became ${countLines(after)}`,
    whole: false,
  };
}

const ENDS = { none: 'no line ends', lf: 'LF', crlf: 'CR LF', mixed: 'mixed line ends' } as const;

/** Line ends are not shown in the changed lines, so a change of them is said in words. */
function endsChanged(before: string, after: string): string[] {
  const [old, now] = [endsOf(before), endsOf(after)];
  return old === now || old === 'none' || now === 'none'
    ? []
    : [`line ends: ${ENDS[old]} before, ${ENDS[now]} now`];
}

export function describeDifference(
  before: string,
  after: string,
  limits: { readonly max_chars: number },
): Difference {
  const patch = structuredPatch('', '', normaliseEnds(before), normaliseEnds(after), undefined, undefined, {
    context: 0,
    maxEditLength: EDITS_MAX,
  });
  if (!patch) return summary(before, after);
  const hunks = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  const text = [...endsChanged(before, after), ...hunks].join('\n');
  return text.length > limits.max_chars ? summary(before, after) : { text, whole: true };
}
