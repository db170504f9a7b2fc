/** The history of one ledger, for a long-lived process: read once in small steps, then kept up to date. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import { keptRecords } from '../store/kept-records.ts';
import type { Store } from '../store/store.ts';
import { archiveSize, scanSince } from '../store/upkeep.ts';
import { type LedgerHistory, openHistory } from './history.ts';

export interface PastLedger {
  readonly state_dir: string;
  readonly store: Store;
}

export interface Past {
  /** Includes everything that was committed before this call. */
  current(): Promise<LedgerHistory>;
  /** How much of the ledger the first read has done, from 0 to 1; null once it has ended or failed. */
  reading(): number | null;
}

/** About 5 ms of reading, the longest that another request has to wait meanwhile. */
const AT_ONCE = 200;

export function openPast(ledger: () => PastLedger): Past {
  const kept: {
    history: LedgerHistory;
    segments: number;
    tip: Lsn;
    reading: Promise<void> | null;
    share: number;
    failed: boolean;
  } = { ...{ history: openHistory(), segments: -1, tip: -1, reading: null, share: 0, failed: false } };
  const read = async (): Promise<void> => {
    const { state_dir, store } = ledger();
    const tip = store.tip();
    const { segments } = archiveSize(state_dir);
    if (tip === kept.tip && segments === kept.segments) return;
    // Another ledger has replaced this one.
    if ((kept.history.last?.lsn ?? 0) >= tip && tip > 0)
      Object.assign(kept, { history: openHistory(), segments: -1 });
    const from = (kept.history.last?.lsn ?? 0) + 1;
    const records =
      segments !== kept.segments
        ? since(from, keptRecords(state_dir, store))
        : store.supports.shared
          ? store.scan(from)
          : scanSince(state_dir, { lsn: from });
    let taken = 0;
    for (const record of records) {
      kept.history.take(record);
      kept.share = tip === 0 ? 1 : Math.min(1, record.lsn / tip);
      if (++taken % AT_ONCE === 0) await nextTurn();
    }
    Object.assign(kept, { segments, tip, share: 1 });
  };
  const readOnce = async (): Promise<void> => {
    try {
      await read();
      kept.failed = false;
    } catch (error) {
      // Whoever asks next waits for the answer, and is told of the failure.
      kept.failed = true;
      throw error;
    }
  };
  return {
    async current() {
      // The present read may have begun before the newest commit.
      if (kept.reading !== null) await kept.reading;
      kept.reading ??= readOnce().finally(() => (kept.reading = null));
      await kept.reading;
      return kept.history;
    },
    reading: () => (kept.tip < 0 && !kept.failed ? kept.share : null),
  };
}

function* since(from: Lsn, records: Iterable<LedgerRecord>): Generator<LedgerRecord, void> {
  for (const record of records) if (record.lsn >= from) yield record;
}
