/** The time of the newest record, as stated in it. */
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { segmentOf } from './segment-of.ts';
import { readAt } from './walk.ts';

/** Most records are shorter. */
const USUAL_BYTES = 1024;
/** Unambiguous: within a string, the quotes would be escaped. */
const STAMP = ',"ts":"';
const STAMP_CHARS = 24;

/** Milliseconds since the epoch; 0 if there is no record. */
export function lastStamp_ms(ledger: LedgerFiles): number {
  const { applied, first } = ledger.header;
  const base = applied > first ? segmentOf(ledger.segments, applied - 1) : undefined;
  if (base === undefined) return 0;
  const { fd } = segmentFile(ledger, base);
  for (let length = USUAL_BYTES; ; length *= 8) {
    const from = Math.max(base, applied - length);
    const text = readAt(fd, base, from, applied - from).toString();
    const start = text.lastIndexOf('\n', text.length - 2);
    if (start < 0 && from > base) continue;
    const at = text.indexOf(STAMP, start + 1) + STAMP.length;
    return Date.parse(text.slice(at, at + STAMP_CHARS)) || 0;
  }
}
