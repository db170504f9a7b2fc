/** What compaction put aside: older records, for people who look back. A segment that is missing or damaged is passed over. */
import { attempt } from '../../core/attempt.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import { isGuardError } from '../../core/error.ts';
import { list } from './files.ts';
import { scanLedger } from './scan.ts';

export function* scanArchive(state_dir: string): Generator<LedgerRecord, void> {
  const dir = `${state_dir}/archive`;
  const bases = basesIn(dir);
  for (const [at, base] of bases.entries()) {
    const next = bases[at + 1] ?? Infinity;
    try {
      for (const record of scanLedger(dir, base)) {
        if (record.lsn >= next) break;
        yield record;
      }
    } catch (error) {
      if (!isGuardError(error)) throw error;
    }
  }
}

const basesIn = (dir: string): readonly number[] => attempt(() => list(dir).segments, []);
