// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Begins a segment: the first one of a ledger, or the one after a full one. */
import { constants, fdatasyncSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { asFailure } from '../failure.ts';
import { checkpointIfDue } from './checkpoint.ts';
import { close, openFile, segmentName, syncDir } from './files.ts';
import { filePrint } from './header.ts';
import { flushIndex, type LedgerFiles, segmentFile } from './ledger.ts';

/** Creates the segment that begins at `base`, or takes over an empty one that a killed process left. */
export function makeSegment(dir: string, base: Lsn, durable: boolean): void {
  const { fd } = openFile(dir, segmentName(base), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  close(fd);
  if (durable) syncDir(dir);
}

/**
 * Begins a new segment. The old one is synced regardless of the durability, because checkpoints rely on it and it
 * only happens about once in 20,000 records.
 */
export function rotate(ledger: LedgerFiles, durable: boolean): void {
  const { header, dir } = ledger;
  try {
    fdatasyncSync(segmentFile(ledger, header.base).fd);
    makeSegment(dir, header.applied, durable);
  } catch (error) {
    throw asFailure(error, 'begin a new segment of the ledger', { lsn: header.applied });
  }
  ledger.segments.push(header.applied);
  header.base = header.applied;
  header.segments = ledger.segments.length;
  header.segment = filePrint(segmentFile(ledger, header.base));
  flushIndex(ledger);
  checkpointIfDue(ledger);
}
