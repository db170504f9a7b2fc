/**
 * Where lsns leap. An adopted copy continues in a segment far beyond the end of the copied ones, so that no token is
 * given out that the original, or an earlier life of the same backup, may have given out. The segment's first record
 * declares this (`ledger.copied`) and names in `after` the lsn where the previous one ends. Any other gap is damage.
 */
import { constants } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { knownErrno } from '../failure.ts';
import { COPIED_TYPE, decodeRecord } from '../record.ts';
import { close, openFile, segmentName } from './files.ts';
import { readAt } from './walk.ts';

/** The first record of such a segment carries no states, so it is short. */
const FIRST_LINE_BYTES = 4096;

/** The lsn that the segment at `base` continues from: `base` itself unless it begins with a leap. */
export function followsAt(dir: string, base: Lsn): Lsn {
  const line = firstLine(dir, base);
  const record = decodeRecord(line, 0, line.length);
  if (typeof record === 'string' || record.lsn !== base || record.type !== COPIED_TYPE) return base;
  const { after } = record;
  return typeof after === 'number' && after < base ? after : base;
}

function firstLine(dir: string, base: Lsn): Buffer {
  try {
    const { fd } = openFile(dir, segmentName(base), constants.O_RDONLY);
    try {
      const bytes = readAt(fd, base, base, FIRST_LINE_BYTES);
      return bytes.subarray(0, Math.max(0, bytes.indexOf(10)));
    } finally {
      close(fd);
    }
  } catch (error) {
    // Compaction may have moved it in the meantime.
    if (knownErrno(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
