/** Handles a last segment that an adoption began but whose first commit is incomplete, as in a shortened copy. */
import { constants, readdirSync, renameSync, statSync } from 'node:fs';
import type { LedgerRecord, Lsn } from '../../core/ledger.ts';
import { crc32 } from '../crc32.ts';
import { decodeRecord } from '../record.ts';
import { close, cutName, list, openFile, segmentName } from './files.ts';
import { inspectSegment } from './inspect.ts';

/**
 * Nothing tells where such a segment belongs. It holds no complete commit, so it is set aside, and the segment before
 * becomes the last one. Returns the name under which it is kept, or null if there was none.
 */
export function dropUnbegun(dir: string): string | null {
  const { segments } = list(dir);
  const [before, last] = segments.slice(-2);
  if (before === undefined || last === undefined || endOf(dir, before) === last || beginsWhole(dir, last))
    return null;
  const names = readdirSync(dir);
  let file = cutName(last);
  while (names.includes(file)) file += '-1';
  renameSync(`${dir}/${segmentName(last)}`, `${dir}/${file}`);
  return file;
}

const endOf = (dir: string, base: Lsn): Lsn => base + statSync(`${dir}/${segmentName(base)}`).size;

function beginsWhole(dir: string, base: Lsn): boolean {
  const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
  try {
    const from = { fd, base, end: base + size, prev: undefined, sum: crc32 };
    for (const { damage, record } of inspectSegment<string, LedgerRecord>(from, decodeRecord)) {
      if (damage !== undefined) return false;
      if (record?.['more'] === undefined) return true;
    }
    return false;
  } finally {
    close(fd);
  }
}
