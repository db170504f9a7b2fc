/** Which lines of either side are in conflict, derived from the merged text with its markers. Pure. */
import { diffArrays } from 'diff';
import type { LineRange } from './merged.ts';

/** Takes half a second for two dissimilar files of 10,000 lines. */
const EDITS_MAX = 5_000;

export interface Sides {
  readonly a: readonly LineRange[];
  readonly b: readonly LineRange[];
}

/** A conflict in the merged text: the zero-based line numbers of its three markers. */
type Region = readonly [begin: number, middle: number, end: number];

/** Null: there are no markers, or the texts are too different. */
export function conflictLines(merged: string, first: string, second: string): Sides | null {
  const lines = merged.split('\n');
  const regions = regionsIn(lines);
  const [of_first, of_second] = [first, second].map((text) => consumed(text.split('\n'), lines));
  if (regions.length === 0 || of_first == null || of_second == null) return null;
  return {
    a: regions.map(([begin, middle]) => range(of_first, begin, middle)),
    b: regions.map(([, middle, end]) => range(of_second, middle, end)),
  };
}

/** git's markers name the commits, a driver's name the files. */
function regionsIn(lines: readonly string[]): readonly Region[] {
  const found: Region[] = [];
  let [begin, middle, size] = [-1, -1, 0];
  lines.forEach((line, at) => {
    const [marker = ''] = /^(?:<{7,}(?= )|={7,}$|>{7,}(?= ))/.exec(line) ?? [];
    if (marker.startsWith('<') && begin === -1) [begin, middle, size] = [at, -1, marker.length];
    else if (marker.length !== size || begin === -1) return;
    else if (marker.startsWith('=') && middle === -1) middle = at;
    else if (marker.startsWith('>') && middle !== -1) {
      found.push([begin, middle, at]);
      [begin, size] = [-1, 0];
    }
  });
  return found;
}

const range = (consumed_at: readonly number[], from: number, to: number): LineRange => [
  (consumed_at[from] ?? 0) + 1,
  consumed_at[to] ?? 0,
];

/** For each line of the merged text, how many lines of a side precede it. */
function consumed(side: readonly string[], merged: readonly string[]): readonly number[] | null {
  const changes = diffArrays([...side], [...merged], { maxEditLength: EDITS_MAX });
  if (changes === undefined) return null;
  const counts: number[] = [];
  let before = 0;
  for (const { value, added, removed } of changes) {
    if (removed) before += value.length;
    else value.forEach(() => counts.push(added ? before : before++));
  }
  return counts;
}
