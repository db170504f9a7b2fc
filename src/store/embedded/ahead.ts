/** Reads the lines of many records together, where they are close to each other: one system call and one buffer for dozens. */
import type { Lsn } from '../../core/ledger.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { segmentOf } from './segment-of.ts';
import { readAt } from './walk.ts';

const WINDOW_BYTES = 256 * 1024;
/** What is read for nothing between two records costs less than another system call. */
const APART_BYTES = 16 * 1024;
/** Fewer are read one by one. */
const LEAST = 8;

/** Call before the record at `lsns[at]` is read. @param lsns ascending or descending */
export function readAhead(ledger: LedgerFiles, lsns: readonly Lsn[], at: number): void {
  const [lsn = 0, { ahead }] = [lsns[at], ledger];
  if (ahead !== undefined && lsn >= ahead.from && lsn < ahead.from + ahead.bytes.length) return;
  let [count, far] = [0, lsn];
  for (let next = lsns[at + 1]; next !== undefined; next = lsns[at + 1 + count]) {
    if (Math.abs(next - far) > APART_BYTES || Math.abs(next - lsn) > WINDOW_BYTES) break;
    far = next;
    count++;
  }
  const base = segmentOf(ledger.segments, lsn);
  if (count < LEAST || base === undefined) return;
  const from = Math.max(base, Math.min(lsn, far));
  const length = Math.max(lsn, far) - from + APART_BYTES;
  ledger.ahead = { from, bytes: readAt(segmentFile(ledger, base).fd, base, from, length) };
}
