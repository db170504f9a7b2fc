/**
 * What an agent knows of a file after reading or writing it (FR-001, FR-007). This is private to the agent and not in
 * the ledger, so a read costs no transaction.
 */
import type { Digest } from '../types.ts';
import type { Baseline, Range } from './baseline.ts';

/** What the tool response proves about the file on disk. */
export type ShownPart =
  | { readonly verdict: 'whole' }
  | {
      readonly verdict: 'part';
      readonly from_line: number;
      readonly lines: number;
      readonly total_lines: number;
    }
  /** The text shown is not the file's content: `digest` is of the text that was shown. */
  | { readonly verdict: 'different'; readonly digest: Digest }
  /** The response has nothing to compare; `quiet` if the file did not change around the time of the read. */
  | { readonly verdict: 'unsure'; readonly quiet: boolean };

/** A file that was read, as it is now. `is_old`: unchanged since the agent joined, so reading a part is enough. */
export interface ReadContent {
  readonly digest: Digest | null;
  readonly is_old: boolean;
}

/** The baseline after a successful Read. */
export function afterRead(
  old: Baseline | null,
  turn: number,
  shown: ShownPart,
  { digest: current, is_old }: ReadContent,
): Baseline {
  if (current === null) return { turn, knows: 'unverified', digest: old?.digest ?? null };
  switch (shown.verdict) {
    case 'whole':
      return { turn, knows: 'content', digest: current };
    case 'different':
      return { turn, knows: 'unverified', digest: shown.digest };
    case 'unsure':
      return shown.quiet
        ? { turn, knows: 'content', digest: current }
        : { turn, knows: 'unverified', digest: old?.digest ?? null };
    case 'part':
      return afterPart(is_old ? old : (old ?? NOTHING), turn, shown, current);
  }
}

const NOTHING: Baseline = { turn: 0, knows: 'unverified', digest: null };

/** A Read that failed because there is no such file: a Write may then create it. */
export const afterMissing = (turn: number): Baseline => ({ turn, knows: 'absent', digest: null });

/**
 * After the agent's own write. `known`: the disk has the content that the agent wrote, so it counts as seen. Otherwise
 * the baseline is the content that the agent wrote, and it must read before its next write.
 */
export function afterWrite(
  turn: number,
  current: Digest | null,
  known: boolean,
  intended: Digest | null,
): Baseline {
  if (known && current !== null) return { turn, knows: 'content', digest: current };
  return { turn, knows: 'unverified', digest: intended };
}

type Part = Extract<ShownPart, { verdict: 'part' }>;

/**
 * Part of a file is enough if the agent already knew exactly this content, or knew nothing at all. A file that changed
 * since is known again only once the parts read of the new content cover all of it.
 */
function afterPart(old: Baseline | null, turn: number, part: Part, current: Digest): Baseline {
  const trusted =
    old === null || old.knows === 'absent' ? old === null : old.knows === 'content' && old.digest === current;
  if (trusted) return { turn, knows: 'content', digest: current };
  const known = old?.partial?.digest === current ? old.partial.ranges : [];
  const ranges = mergeRanges([...known, [part.from_line, part.from_line + part.lines - 1]]);
  if (covers(ranges, part.total_lines)) return { turn, knows: 'content', digest: current };
  return {
    turn: old?.turn ?? turn,
    knows: old?.knows ?? 'unverified',
    digest: old?.digest ?? null,
    partial: { digest: current, total_lines: part.total_lines, ranges },
  };
}

/** Sorted, with adjacent ranges merged. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && range[0] <= last[1] + 1)
      merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])];
    else merged.push(range);
  }
  return merged;
}

function covers(ranges: readonly Range[], total_lines: number): boolean {
  const [first] = ranges;
  return first !== undefined && ranges.length === 1 && first[0] <= 1 && first[1] >= total_lines;
}
