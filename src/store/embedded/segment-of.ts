import type { Lsn } from '../../core/ledger.ts';

/** First lsn of the segment that contains `lsn`; undefined if it lies before all of them. */
export function segmentOf(segments: readonly Lsn[], lsn: Lsn): Lsn | undefined {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle] ?? 0) <= lsn) low = middle + 1;
    else high = middle;
  }
  return segments[low - 1];
}
