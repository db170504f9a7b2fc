/** Reads the lines of many records together, where they are close to each other: one system call and one buffer for hundreds. */
import type { Lsn } from '../../core/ledger.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { segmentOf } from './segment-of.ts';
import { readAt } from './walk.ts';

const WINDOW_BYTES = 256 * 1024;
/** With fewer records in a window, each is read alone. */
const LEAST = 8;
/** Most lines are shorter, and end in the window if they begin this far before its end. */
const LINE_BYTES = 64 * 1024;

/** Call before the record at `lsns[at]` is read. @param lsns ascending or descending */
export function readAhead(ledger: LedgerFiles, lsns: readonly Lsn[], at: number): void {
  const [lsn, far] = [lsns[at], lsns[at + LEAST]];
  if (lsn === undefined || far === undefined || Math.abs(far - lsn) > WINDOW_BYTES) return;
  const { ahead } = ledger;
  if (ahead !== undefined && lsn >= ahead.from && lsn < ahead.from + ahead.bytes.length) return;
  const base = segmentOf(ledger.segments, lsn);
  if (base === undefined) return;
  const from = far > lsn ? lsn : Math.max(base, lsn + LINE_BYTES - WINDOW_BYTES);
  ledger.ahead = { from, bytes: readAt(segmentFile(ledger, base).fd, base, from, WINDOW_BYTES) };
}
