/**
 * An opened ledger: its segments, its index, and the lookup of keys in them. It belongs to one transaction or one read,
 * under the lock, and none of it outlives that.
 */
import { constants } from 'node:fs';
import type { Json, Key, LedgerRecord, Lsn } from '../../core/ledger.ts';
import { hex8 } from '../crc32.ts';
import { knownErrno, IndexAnomaly } from '../failure.ts';
import { corrupt } from '../told-failure.ts';
import { fingerprint, idFingerprint } from '../fingerprint.ts';
import { checkVersion, decodeRecord, isExplicitId, RECORD_BYTES_MAX, SEAL_BYTES } from '../record.ts';
import { close, openFile, type OpenFile, segmentName } from './files.ts';
import { encodeHeader, type Header } from './header.ts';
import type { Page } from './page.ts';
import type { Pages } from './pages.ts';
import type { StoredPaths } from './path-file.ts';
import { segmentOf } from './segment-of.ts';
import { findSlot } from './table.ts';
import { newlineIn, readAt } from './walk.ts';

export interface LedgerFiles {
  readonly dir: string;
  readonly writable: boolean;
  /** The index in memory. `written` is the header that is on disk. */
  header: Header;
  written: Page;
  pages: Pages;
  /** First lsn of each segment from `header.first` on, ascending. */
  segments: Lsn[];
  /** Open files by first lsn of their segment, closed at the end of the transaction. */
  readonly files: Map<Lsn, OpenFile>;
  /** Set once paths have been listed in order. */
  paths?: StoredPaths;
  /** Decoded records, by lsn. */
  records: Map<Lsn, LedgerRecord>;
  /** Total length of their lines. */
  decoded_bytes: number;
  /** Lines that were read together (ahead.ts). */
  ahead?: { readonly from: Lsn; readonly bytes: Buffer };
  /** If the ledger is read without the lock: throws IndexAnomaly if it has changed since the read began. */
  mustStand: (() => void) | undefined;
}

/** Most records are shorter; a longer one costs a second read. */
const USUAL_RECORD_BYTES = 1024;

/** Writes the index if this ledger may be written. */
export function flushIndex(ledger: LedgerFiles): void {
  if (!ledger.writable) return;
  const header = encodeHeader(ledger.header);
  ledger.pages.flush(ledger.written, header);
  ledger.written = header;
}

/** A segment's file, opened once. The last one is opened for appending if the ledger is writable. */
export function segmentFile(ledger: LedgerFiles, base: Lsn): OpenFile {
  const open = ledger.files.get(base);
  if (open !== undefined) return open;
  const append = ledger.writable && base === ledger.segments.at(-1);
  try {
    const file = openFile(
      ledger.dir,
      segmentName(base),
      append ? constants.O_RDWR | constants.O_APPEND : constants.O_RDONLY,
    );
    ledger.files.set(base, file);
    return file;
  } catch (error) {
    if (knownErrno(error) !== 'ENOENT') throw error;
    throw corrupt(`the segment ${segmentName(base)} is missing`, {
      segment: segmentName(base),
      lsn: base,
      reason: 'missing_segment',
    });
  }
}

export function closeFiles(ledger: Pick<LedgerFiles, 'files'>): void {
  for (const { fd } of ledger.files.values()) close(fd);
  ledger.files.clear();
}

/** The line at an lsn that the index named, without the newline. Throws IndexAnomaly if there is none. */
export function lineAt(ledger: LedgerFiles, lsn: Lsn): Buffer {
  const start = ledger.ahead === undefined ? -1 : lsn - ledger.ahead.from;
  const stop = ledger.ahead === undefined || start < 0 ? -1 : newlineIn(ledger.ahead.bytes, start);
  if (ledger.ahead !== undefined && stop >= 0) return ledger.ahead.bytes.subarray(start, stop);
  const base = segmentOf(ledger.segments, lsn);
  if (base === undefined) throw new IndexAnomaly(`no segment holds lsn ${lsn}`);
  const { fd } = segmentFile(ledger, base);
  for (let length = USUAL_RECORD_BYTES; ; length *= 8) {
    const bytes = readAt(fd, base, lsn, length);
    const end = newlineIn(bytes);
    if (end >= 0) return bytes.subarray(0, end);
    if (bytes.length < length || length > RECORD_BYTES_MAX) throw notThere(lsn);
  }
}

export const notThere = (lsn: Lsn): IndexAnomaly => new IndexAnomaly(`no record at lsn ${lsn}`);

/** The record at an lsn that the index named. Throws IndexAnomaly if there is none. */
export function recordAt(ledger: LedgerFiles, lsn: Lsn): LedgerRecord {
  const known = ledger.records.get(lsn);
  if (known !== undefined) return known;
  const line = lineAt(ledger, lsn);
  const record = decodeRecord(line, 0, line.length);
  if (typeof record === 'string' || record.lsn !== lsn) throw notThere(lsn);
  checkVersion(record.v, { lsn });
  ledger.records.set(lsn, record);
  ledger.decoded_bytes += line.length;
  return record;
}

/** Whether the record at an lsn carries the key. Compacted records carry nothing. */
export function carries(ledger: LedgerFiles, key: Key): (lsn: Lsn) => boolean {
  return (lsn) => lsn >= ledger.header.first && Object.hasOwn(recordAt(ledger, lsn).s, key);
}

export function carriesId(ledger: LedgerFiles, agent: string, id: string): (lsn: Lsn) => boolean {
  return (lsn) => {
    if (lsn < ledger.header.first) return false;
    const record = recordAt(ledger, lsn);
    return record.agent === agent && record.id === id;
  };
}

export const isIndexed = ({ header }: LedgerFiles): boolean => header.indexed === header.applied;

/** Newest lsn of a key; undefined if the key has no state. */
export function newestOf(ledger: LedgerFiles, key: Key): Lsn | undefined {
  return findSlot(ledger.pages, ledger.header.shape, fingerprint(key), carries(ledger, key))?.lsn;
}

export function lookup(ledger: LedgerFiles, key: Key): Json | undefined {
  const lsn = newestOf(ledger, key);
  return lsn === undefined ? undefined : (recordAt(ledger, lsn).s[key] ?? undefined);
}

/** Lsn at which an id was committed; undefined if it was not. */
export function idAt(ledger: LedgerFiles, agent: string, id: string): Lsn | undefined {
  if (!isExplicitId(id)) return undefined;
  const { pages, header } = ledger;
  return findSlot(pages, header.shape, idFingerprint(agent, id), carriesId(ledger, agent, id))?.lsn;
}

/** Whether the ledger contains the record that the header says was applied last. A replaced ledger does not. */
export function tipMatches(ledger: LedgerFiles, header: Pick<Header, 'applied' | 'first' | 'tip'>): boolean {
  if (header.applied === header.first) return true;
  const base = segmentOf(ledger.segments, header.applied - 1);
  if (base === undefined || base + segmentFile(ledger, base).size < header.applied) return false;
  const seal = readAt(segmentFile(ledger, base).fd, base, header.applied - SEAL_BYTES - 1, SEAL_BYTES + 1);
  return seal.toString() === `,"crc":"${hex8(header.tip)}"}\n`;
}
