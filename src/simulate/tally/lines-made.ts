/** The lines that a write added, and which of them are gone: each with its number of occurrences, without blank lines. */

export type LineCounts = ReadonlyMap<string, number>;

export function lineCounts(text: string | null): LineCounts {
  const counts = new Map<string, number>();
  for (const line of (text ?? '').split('\n'))
    if (line.trim() !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Lines that occur more often after a write than before it. */
export function linesMade(before: LineCounts, after: LineCounts): LineCounts {
  const made = new Map<string, number>();
  for (const [line, count] of after) {
    const more = count - (before.get(line) ?? 0);
    if (more > 0) made.set(line, more);
  }
  return made;
}

/** Of the lines `made`, those that were in `had` and are not in `left`. */
export function linesGone(made: LineCounts, had: LineCounts, left: LineCounts): readonly string[] {
  return [...made].flatMap(([line, count]) => {
    const gone = Math.min(count, (had.get(line) ?? 0) - (left.get(line) ?? 0));
    return gone > 0 ? Array.from({ length: gone }, () => line) : [];
  });
}
