/**
 * Records that a process decoded before: what stands at an lsn never changes, so a process that lives keeps them from one use
 * of its ledger to the next. A hook has nothing to remember.
 */
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import type { Header } from './header.ts';
import { type LedgerFiles, tipMatches } from './ledger.ts';

export interface Remembered {
  /** To be called with a ledger that was opened, before a record of it is decoded. */
  recall(ledger: LedgerFiles): void;
  /** When it is closed. */
  keep(ledger: LedgerFiles): void;
}

/** Of their lines: some thousand records. Then it begins anew. */
const REMEMBERED_BYTES = 2 * 1024 * 1024;

/** Where its last record was then, that record still is, and with it, by the chain, all before. */
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
