/** Lines after the end that never were records, as readers see them. The next write cuts them off (tail.ts). */
import { constants } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { close, INDEX, openFile, segmentName } from './files.ts';
import { openIndex } from './index-file.ts';
import { isForeign } from './tail.ts';
import { readAt } from './walk.ts';

/** Bytes of such lines in segment `base` from `lsn` to `end` (default: the segment's end); 0 if there is anything else. */
export function foreignBytes(dir: string, base: Lsn, lsn: Lsn, end?: Lsn): number {
  const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
  try {
    const rest = readAt(fd, base, lsn, (end ?? base + size) - lsn);
    return rest.includes(10) && isForeign(rest) ? rest.length : 0;
  } finally {
    close(fd);
  }
}

/** Whether the index ends at `lsn` and only such lines follow. */
export function isForeignBehind(dir: string, base: Lsn, lsn: Lsn): boolean {
  const index = openIndex(dir, INDEX, false);
  if (index !== undefined) close(index.file.fd);
  return index?.header?.applied === lsn && foreignBytes(dir, base, lsn) > 0;
}
