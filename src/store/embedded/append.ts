/** Appends records in a single write. They are acknowledged only once they are in the file (and on disk, if durable). */
import { fdatasyncSync, writeSync } from 'node:fs';
import type { Lsn, RecordBody } from '../../core/ledger.ts';
import { oneBuffer } from '../../repo/one-buffer.ts';
import { fingerprint, idFingerprint } from '../fingerprint.ts';
import { type EncodedLine, encodeRecord, INDEX_TYPE, isExplicitId } from '../record.ts';
import { carries, carriesId, flushIndex, isIndexed, type LedgerFiles, segmentFile } from './ledger.ts';
import { rotate } from './rotate.ts';
import { lastStamp_ms } from './stamp.ts';
import { grow, removeSlot, setSlot } from './table.ts';
import { writeFailed } from './write-failed.ts';

export const SEGMENT_BYTES = 8 * 1024 * 1024;

export interface AppendOptions {
  readonly durable: boolean;
  readonly segment_bytes: number;
}

function writeWhole(fd: number, bytes: Buffer, durable: boolean): void {
  const written = writeSync(fd, bytes);
  if (written !== bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
  if (durable) fdatasyncSync(fd);
}

function write(ledger: LedgerFiles, bytes: Buffer, durable: boolean): void {
  const { header } = ledger;
  const { fd } = segmentFile(ledger, header.base);
  try {
    writeWhole(fd, bytes, durable);
  } catch (error) {
    throw writeFailed(error, fd, header);
  }
}

export interface Placed {
  readonly body: RecordBody;
  readonly lsn: Lsn;
  readonly line: EncodedLine;
}

/** Encodes bodies as lines after the ledger's end. No record is dated earlier than the one before, even after a clock change. */
export function place(ledger: LedgerFiles, bodies: readonly RecordBody[]): Placed[] {
  const after_ms = lastStamp_ms(ledger);
  let lsn = ledger.header.applied;
  let prev = ledger.header.tip;
  return bodies.map((given, at) => {
    const body = { ...given, ts_ms: Math.max(given.ts_ms, after_ms) };
    const line = encodeRecord(body, { lsn, prev, more: bodies.length - 1 - at });
    const placed = { body, lsn, line };
    lsn += line.bytes.length;
    prev = line.crc;
    return placed;
  });
}

function index(ledger: LedgerFiles, { body, lsn }: Placed): void {
  const { pages, header } = ledger;
  for (const [key, state] of Object.entries(body.s)) {
    if (state === null) removeSlot(pages, header.shape, fingerprint(key), carries(ledger, key));
    else setSlot(pages, header.shape, fingerprint(key), lsn, carries(ledger, key));
  }
  const { id, agent } = body;
  if (id !== undefined && isExplicitId(id)) {
    setSlot(pages, header.shape, idFingerprint(agent, id), lsn, carriesId(ledger, agent, id));
  }
  grow(pages, header.shape, header.first);
}

function indexAll(ledger: LedgerFiles, placed: readonly Placed[]): void {
  const last = placed.at(-1);
  if (last === undefined) return;
  const { header } = ledger;
  const indexed = isIndexed(ledger) || placed.some(({ body }) => body.type === INDEX_TYPE);
  for (const one of placed) index(ledger, one);
  header.applied = last.lsn + last.line.bytes.length;
  if (indexed) header.indexed = header.applied;
  header.tip = last.line.crc;
  flushIndex(ledger);
}

/**
 * Appends the records of one commit, already placed after the end: all of them, or none if it throws. False if they are
 * in the ledger but not in the index: then the opened ledger must not be used any further.
 */
export function append(
  ledger: LedgerFiles,
  placed: readonly Placed[],
  { durable, segment_bytes }: AppendOptions,
): boolean {
  if (placed.length === 0) return true;
  if (ledger.header.applied - ledger.header.base >= segment_bytes) rotate(ledger, durable);
  write(ledger, oneBuffer(placed.map(({ line }) => line.bytes)), durable);
  try {
    indexAll(ledger, placed);
    return true;
  } catch {
    // The commit stands: the index is only a cache. It lags behind, and the next transaction catches up.
    return false;
  }
}

/** Places the records, then appends them. */
export const appendNew = (
  ledger: LedgerFiles,
  bodies: readonly RecordBody[],
  options: AppendOptions,
): boolean => append(ledger, place(ledger, bodies), options);
