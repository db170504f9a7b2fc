/** The difference between two texts, as lines with some context. */
import { structuredPatch } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new' | 'gap';
  readonly text: string;
}

const LINES_MOST = 400;
const EDITS_MOST = 3_000;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '-': 'gone', '+': 'new', ' ': 'same' };

/** `null` if too much differs to be worth showing. */
export function differenceOf(before: string, after: string): readonly DiffLine[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: EDITS_MOST });
  if (patch === undefined) return null;
  return patch.hunks
    .flatMap(({ oldStart, lines }): DiffLine[] => [
      { kind: 'gap', text: `line ${oldStart}` },
      ...lines
        .filter((line) => !line.startsWith('\\'))
        .map((line) => ({ kind: KINDS[line[0] ?? ''] ?? 'same', text: line.slice(1) })),
    ])
    .slice(0, LINES_MOST);
}
