/** Which keys were written by the records after a position in the ledger. */
import type { Key, Lsn } from '../../core/ledger.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { segmentOf } from './segment-of.ts';
import { skimRecord } from './scan-header.ts';
import { sumFor, walkRecords } from './walk.ts';

/** Whether each key below a prefix written since then still has a state. Undefined if a record in between is not valid. */
export function keysSince(
  ledger: LedgerFiles,
  below: string,
  from: Lsn,
): ReadonlyMap<Key, boolean> | undefined {
  const { segments, header } = ledger;
  const found = new Map<Key, boolean>();
  for (let at = from; at < header.applied;) {
    const base = segmentOf(segments, at);
    if (base === undefined) return undefined;
    const { fd, size } = segmentFile(ledger, base);
    const end = Math.min(base + size, header.applied);
    const sum = sumFor(end - at);
    for (const { record, next } of walkRecords({
      fd,
      read: skimRecord,
      base,
      from: at,
      end,
      prev: undefined,
      sum,
    })) {
      for (const key of record.live) if (key.startsWith(below)) found.set(key, true);
      for (const key of record.removed) if (key.startsWith(below)) found.set(key, false);
      at = next;
    }
    if (at === header.applied) break;
    const following = segments[segments.indexOf(base) + 1];
    if (at !== base + size || following === undefined) return undefined;
    at = following;
  }
  return found;
}
