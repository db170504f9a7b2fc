/**
 * Walks a segment line by line and checks each: frame, checksum, JSON, lsn, chain. Stops at the first line that is
 * not the expected record, and reports where and why. Uses constant memory at any size.
 */
import { readSync } from 'node:fs';
import type { Lsn } from '../../core/ledger.ts';
import { crc32 } from '../crc32.ts';
import { type Damage, RECORD_BYTES_MAX, type Sum } from '../record.ts';

const CHUNK_BYTES = 256 * 1024;
/** From this size on, loading node:zlib pays off: its CRC does 1 GB/s, the table 0.3. */
const NATIVE_SUM_BYTES = 1024 * 1024;

/** The cheapest CRC-32 for this many bytes. */
export function sumFor(bytes: number): Sum {
  const zlib = bytes < NATIVE_SUM_BYTES ? undefined : process.getBuiltinModule('node:zlib');
  if (zlib === undefined) return crc32;
  return (data, start, end) => zlib.crc32(data.subarray(start, end));
}

/** A record's place in the chain: its position, the crc of the record before it, and its own. */
export interface Linked {
  readonly lsn: Lsn;
  readonly prev: number;
  readonly crc: number;
}

/** Extracts from the line `bytes[start..end)` what the caller needs, or says what is wrong with it. */
export type ReadLine<T extends Linked> = (bytes: Buffer, start: number, end: number, sum: Sum) => T | Damage;

export interface Walked<T extends Linked> {
  readonly record: T;
  /** Lsn after the record. */
  readonly next: Lsn;
}

/** Where a walk ended. `damage` is undefined at a clean end. */
export interface WalkEnd {
  readonly lsn: Lsn;
  readonly prev: number;
  readonly damage: Damage | undefined;
}

interface WalkFrom<T extends Linked> {
  readonly fd: number;
  readonly read: ReadLine<T>;
  /** First lsn of the segment. */
  readonly base: Lsn;
  readonly from: Lsn;
  /** Lsn after the last byte to read. */
  readonly end: Lsn;
  /** crc of the record before; undefined accepts the first record's own `prev`. */
  readonly prev: number | undefined;
  readonly sum: Sum;
}

/** Reads `length` bytes at `lsn`; fewer at the end of the file. */
export function readAt(fd: number, base: Lsn, lsn: Lsn, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const part = readSync(fd, bytes, got, length - got, lsn - base + got);
    if (part === 0) break;
    got += part;
  }
  return bytes.subarray(0, got);
}

function chainDamage(record: Linked, lsn: Lsn, prev: number | undefined): Damage | undefined {
  if (record.lsn !== lsn) return 'lsn';
  return prev === undefined || record.prev === prev ? undefined : 'prev';
}

/** Not `Buffer.indexOf`, which is three functions that a cold process first has to compile (0.09 ms). */
export const newlineIn = (bytes: Uint8Array, from = 0): number =>
  Uint8Array.prototype.indexOf.call(bytes, 10, from);

export function* walkRecords<T extends Linked>({
  fd,
  read,
  base,
  from,
  end,
  prev: first,
  sum,
}: WalkFrom<T>): Generator<Walked<T>, WalkEnd> {
  let prev = first;
  let lsn = from;
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  let wanted = CHUNK_BYTES;
  for (;;) {
    const newline = newlineIn(chunk, at);
    if (newline >= 0) {
      const record = read(chunk, at, newline, sum);
      const damage = typeof record === 'string' ? record : chainDamage(record, lsn, prev);
      if (damage !== undefined || typeof record === 'string') return { lsn, prev: prev ?? 0, damage };
      const next = lsn + newline + 1 - at;
      yield { record, next };
      prev = record.crc;
      lsn = next;
      at = newline + 1;
      continue;
    }
    const held = chunk.length - at;
    const left = end - lsn;
    if (left <= held || held > RECORD_BYTES_MAX)
      return { lsn, prev: prev ?? 0, damage: left > 0 ? 'unfinished' : undefined };
    if (held >= wanted) wanted *= 4;
    chunk = readAt(fd, base, lsn, Math.min(wanted, left));
    at = 0;
    if (chunk.length <= held) return { lsn, prev: prev ?? 0, damage: 'unfinished' };
  }
}
