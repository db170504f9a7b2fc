/** The history of one ledger, for a long-lived process: read once in small steps, then kept up to date. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import { keptRecords } from '../store/kept-records.ts';
import type { Store } from '../store/store.ts';
import { archiveSize } from '../store/upkeep.ts';
import { type LedgerHistory, openHistory } from './history.ts';

export interface PastLedger {
  readonly state_dir: string;
  readonly store: Store;
}

export interface Past {
  /** Includes everything that was committed before this call. */
  current(): Promise<LedgerHistory>;
  /** How much has been read, from 0 to 1. */
  progress(): number;
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
  } = { ...{ history: openHistory(), segments: -1, tip: -1, reading: null, share: 0 } };
  const read = async (): Promise<void> => {
    const { state_dir, store } = ledger();
    const tip = store.tip();
    const { segments } = archiveSize(state_dir);
    // Continuing from the last record decodes its whole segment: about 400 ms of CPU at 100,000 records.
    if (tip === kept.tip && segments === kept.segments) return;
    // Another ledger has replaced this one.
    if ((kept.history.last?.lsn ?? 0) >= tip && tip > 0)
      Object.assign(kept, { history: openHistory(), segments: -1 });
    const from = (kept.history.last?.lsn ?? 0) + 1;
    const records =
      segments === kept.segments ? store.scan(from) : since(from, keptRecords(state_dir, store));
    let taken = 0;
    for (const record of records) {
      kept.history.take(record);
      kept.share = tip === 0 ? 1 : Math.min(1, record.lsn / tip);
      if (++taken % AT_ONCE === 0) await nextTurn();
    }
    Object.assign(kept, { segments, tip, share: 1 });
  };
  return {
    async current() {
      // The present read may have begun before the newest commit.
      if (kept.reading !== null) await kept.reading;
      kept.reading ??= read().finally(() => (kept.reading = null));
      await kept.reading;
      return kept.history;
    },
    progress: () => kept.share,
  };
}

function* since(from: Lsn, records: Iterable<LedgerRecord>): Generator<LedgerRecord, void> {
  for (const record of records) if (record.lsn >= from) yield record;
}
