/** Checks an index's claim of a newer guard against the ledger: the index may be discarded, the ledger may not. */
import { checkVersion, decodeRecord, RECORD_VERSION } from '../record.ts';
import { type LedgerFiles, segmentFile } from './ledger.ts';
import { readAt } from './walk.ts';

const KNOWN = Buffer.from(`{"v":${RECORD_VERSION},`);

/**
 * Throws GUARD_ERR_VERSION if a newer guard wrote a record. Starts with the newest segment, where such a record most
 * likely is, so that an outdated guard does not read the whole ledger each time it is refused.
 */
export function refuseNewer(ledger: LedgerFiles): void {
  for (const base of ledger.segments.toReversed()) {
    const { fd, size } = segmentFile(ledger, base);
    const bytes = readAt(fd, base, base, size);
    for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
      if (bytes.compare(KNOWN, 0, KNOWN.length, start, start + KNOWN.length) === 0) continue;
      const record = decodeRecord(bytes, start, end);
      // Bad lines are not this function's concern.
      if (typeof record !== 'string') checkVersion(record.v, { lsn: record.lsn });
    }
  }
}
