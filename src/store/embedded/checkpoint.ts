/**
 * Checkpoints are synced copies of the index, from which recovery starts after a reboot or index damage instead of
 * reading the ledger from the beginning. One is made when a segment is full: by then everything it covers is on disk.
 */
import { constants, copyFileSync, fdatasyncSync, fsyncSync, renameSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { close, checkpointName, INDEX, list, openFile, syncDir, removeFile } from './files.ts';
import { flushIndex, type LedgerFiles, segmentFile } from './ledger.ts';
import { PAGE_BYTES } from './page.ts';

const SMALL_INDEX_BYTES = 16 * 1024 * 1024;
/** A large index (about 250,000 keys) is copied only every second segment: redoing 16 MiB of ledger takes about 0.4 s. */
const SEGMENTS_PER_LARGE = 2;
const KEPT = 2;
const SCRATCH = 'checkpoint.tmp';

/** Number of segments begun since the newest checkpoint. */
export function segmentsSince(segments: readonly Lsn[], checkpoint: Lsn): number {
  return segments.filter((base) => base > checkpoint).length;
}

function isDue(ledger: LedgerFiles): boolean {
  const small = ledger.header.shape.end * PAGE_BYTES <= SMALL_INDEX_BYTES;
  return segmentsSince(ledger.segments, ledger.header.checkpoint) >= (small ? 1 : SEGMENTS_PER_LARGE);
}

export function removeCheckpoints(dir: string, obsolete: (lsn: Lsn) => boolean): void {
  for (const lsn of list(dir).checkpoints.filter(obsolete)) removeFile(`${dir}/${checkpointName(lsn)}`);
}

/** Copies the index as it is on disk, after syncing what it covers. The caller has flushed it and holds the lock. */
export function writeCheckpoint(ledger: LedgerFiles): void {
  const { dir, header } = ledger;
  fdatasyncSync(segmentFile(ledger, header.base).fd);
  const scratch = `${dir}/${SCRATCH}`;
  removeFile(scratch);
  copyFileSync(`${dir}/${INDEX}`, scratch, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const { fd } = openFile(dir, SCRATCH, constants.O_RDWR);
  try {
    fsyncSync(fd);
  } finally {
    close(fd);
  }
  renameSync(scratch, `${dir}/${checkpointName(header.applied)}`);
  syncDir(dir);
  header.checkpoint = header.applied;
  flushIndex(ledger);
  const kept = list(dir).checkpoints.slice(-KEPT);
  removeCheckpoints(dir, (lsn) => !kept.includes(lsn));
}

/** Never fails a transaction: a checkpoint only saves time later. */
export function checkpointIfDue(ledger: LedgerFiles): void {
  if (!isDue(ledger)) return;
  try {
    writeCheckpoint(ledger);
  } catch {
    // Disk full or gone: recovery will start from an older checkpoint.
  }
}
