/**
 * Records that this process has already decoded. The record at an lsn never changes, so a long-running process keeps
 * them from one use of its ledger to the next. A hook has nothing to remember.
 */
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import type { Header } from './header.ts';
import { type LedgerFiles, tipMatches } from './ledger.ts';

export interface Remembered {
  /** Call after opening a ledger, before any of its records is decoded. */
  recall(ledger: LedgerFiles): void;
  /** Call when the ledger is closed. */
  keep(ledger: LedgerFiles): void;
}

/** Limit for the length of their lines: a few thousand records. Beyond it, the cache starts over. */
const REMEMBERED_BYTES = 2 * 1024 * 1024;

/** If the last remembered record is still in its place, so are all records before it, because they are chained. */
const isOf = (ledger: LedgerFiles, last: Header): boolean =>
  last.applied === ledger.header.applied ? last.tip === ledger.header.tip : tipMatches(ledger, last);

export function openRemembered(): Remembered {
  let records = new Map<Lsn, LedgerRecord>();
  let bytes = 0;
  let last: Header | undefined;
  return {
    recall(ledger) {
      if (last !== undefined && bytes < REMEMBERED_BYTES && isOf(ledger, last)) ledger.records = records;
      else bytes = 0;
    },
    keep(ledger) {
      ({ records, header: last } = ledger);
      bytes += ledger.decoded_bytes;
    },
  };
}
