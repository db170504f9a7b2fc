/**
 * Gives up records that are damaged or missing. The newest intact state of every key is rewritten beyond everything
 * that was ever acknowledged, so that lsns and tokens keep growing. The ledger then records where it begins
 * (`ledger.compact`), and the segments before that are moved to `quarantine/` without losing a byte.
 */
import { constants, fdatasyncSync, renameSync, writeSync } from 'node:fs';
import type { Json, Key, RecordBody } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { CARRY_TYPE, COMPACT_TYPE, encodeRecord } from '../record.ts';
import { removeCheckpoints } from './checkpoint.ts';
import { close, INDEX, list, makeDir, openFile, removeFile, segmentName, syncDir } from './files.ts';
import { segmentOf } from './segment-of.ts';
import { salvage, type Salvage } from './salvage.ts';

const QUARANTINE = 'quarantine';
const KEYS_PER_RECORD = 256;

function bodies({ first, carried }: Salvage, now: Now): RecordBody[] {
  const report = { agent: 'guard', ts_ms: now.wall_ms };
  const made: RecordBody[] = [];
  for (let at = 0; at < carried.length; at += KEYS_PER_RECORD) {
    const states: Record<Key, Json> = Object.fromEntries(carried.slice(at, at + KEYS_PER_RECORD));
    made.push({ ...report, type: CARRY_TYPE, s: states });
  }
  return [...made, { ...report, type: COMPACT_TYPE, first, cause: 'quarantine', s: {} }];
}

/** Writes the records after the end, into the last intact segment or a new one. */
function write(dir: string, kept: Salvage, now: Now): void {
  const base =
    segmentOf(
      list(dir).segments.filter((one) => one >= kept.first),
      kept.end,
    ) ?? kept.end;
  const { fd } = openFile(dir, segmentName(base), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  let lsn = kept.end;
  let prev = parseInt(kept.prev, 16);
  try {
    for (const body of bodies(kept, now)) {
      const { bytes, crc } = encodeRecord(body, { lsn, prev, more: 0 });
      if (writeSync(fd, bytes) !== bytes.length)
        throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      lsn += bytes.length;
      prev = crc;
    }
    fdatasyncSync(fd);
  } finally {
    close(fd);
  }
  syncDir(dir);
}

/** The caller must hold the lock. Returns the names of the files that were moved. */
export function quarantine(dir: string, now: Now): string[] {
  const kept = salvage(dir);
  write(dir, kept, now);
  makeDir(`${dir}/${QUARANTINE}`);
  const moved = list(dir)
    .segments.filter((base) => base < kept.first)
    .map(segmentName);
  for (const name of moved) renameSync(`${dir}/${name}`, `${dir}/${QUARANTINE}/${name}`);
  removeFile(`${dir}/${INDEX}`);
  removeCheckpoints(dir, () => true);
  syncDir(dir);
  return moved;
}
