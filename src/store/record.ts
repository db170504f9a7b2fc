/**
 * One line of the ledger: `{"v":1,"id":…,"type":…,"ts":…,"agent":…,<facts>,"s":{…},"prev":"…","lsn":N,"crc":"…"}`.
 *
 * - `crc` is the CRC-32 of every byte before `,"crc":"`. That literal and the closing `"}` are compared too,
 *   so every byte of the line is covered.
 * - `prev` is the crc of the record before, across segments; `lsn` is the record's own logical byte offset. They expose
 *   a record that was moved, removed or inserted even though each line is intact by itself.
 * - `more` occurs in commits of several records: the number of records of the commit that follow. A commit whose last
 *   record is missing never happened.
 */
import { isObject } from '../core/json-object.ts';
import type { Json, LedgerRecord, Lsn, RecordBody } from '../core/ledger.ts';
import { crc32, hex8 } from './crc32.ts';
import { misuse, newerVersion } from './told-failure.ts';
import { rfc3339 } from '../core/rfc3339.ts';

export const RECORD_VERSION = 1;
export const RECORD_BYTES_MAX = 16 * 1024 * 1024;
/** Lsn of a ledger's first record. Not 0, so that 0 can mean "before everything". */
export const FIRST_LSN: Lsn = 1;
/** `,"crc":"` + 8 digits + `"}` */
export const SEAL_BYTES = 18;

/** Types of the records that the ledger writes about itself. */
export const COMPACT_TYPE = 'ledger.compact';
export const CARRY_TYPE = 'ledger.carry';
export const INDEX_TYPE = 'ledger.index';
export const CUT_TYPE = 'ledger.cut';
export const COPIED_TYPE = 'ledger.copied';
export const ARCHIVE_CUT_TYPE = 'ledger.archive_cut';

const RESERVED = ['v', 'ts', 'more', 'prev', 'lsn', 'crc'] as const;
const ENGINE_ID = 'lsn:';

/** Why a line is not a record. */
export type Damage = 'unfinished' | 'frame' | 'checksum' | 'json' | 'lsn' | 'prev' | 'batch';

/** A CRC-32 over `bytes[start..end)`. */
export type Sum = (bytes: Uint8Array, start: number, end: number) => number;

export interface RecordPlace {
  readonly lsn: Lsn;
  readonly prev: number;
  /** Number of records of the same commit that follow. */
  readonly more: number;
}

export interface EncodedLine {
  readonly bytes: Buffer;
  readonly crc: number;
}

/** Whether a caller gave the id; ids made by the engine only repeat the lsn. */
export function isExplicitId(id: string): boolean {
  return !id.startsWith(ENGINE_ID);
}

export function checkBody(body: RecordBody): void {
  const clash = RESERVED.find((name) => name in body);
  const bad = clash ?? (body.id !== undefined && !isExplicitId(body.id) ? 'id' : undefined);
  if (bad === undefined) return;
  throw misuse(`A record may not set "${bad}" itself.`, {
    field: bad,
    type: body.type,
  });
}

/** The line of a record at its place, including the newline. */
export function encodeRecord(body: RecordBody, place: RecordPlace): EncodedLine {
  checkBody(body);
  const { type, agent, id, ts_ms, s, ...facts } = body;
  const named = id ?? `${ENGINE_ID}${place.lsn.toString(16)}`;
  const ts = rfc3339(ts_ms);
  const open = JSON.stringify({ v: RECORD_VERSION, id: named, type, ts, agent, ...facts, s }).slice(0, -1);
  const more = place.more > 0 ? `,"more":${place.more}` : '';
  const sealed = Buffer.from(
    `${open}${more},"prev":"${hex8(place.prev)}","lsn":${place.lsn},"crc":"00000000"}\n`,
  );
  if (sealed.length > RECORD_BYTES_MAX) {
    throw misuse(`A record of ${sealed.length} bytes is too long.`, {
      bytes: sealed.length,
      type,
    });
  }
  const crc = crc32(sealed, 0, sealed.length - 1 - SEAL_BYTES);
  const digits = hex8(crc);
  for (let at = 0; at < 8; at++) sealed[sealed.length - 11 + at] = digits.charCodeAt(at);
  return { bytes: sealed, crc };
}

function isRecord(value: Json): value is LedgerRecord & Json {
  if (!isObject(value)) return false;
  const record = value;
  return (
    typeof record['v'] === 'number' &&
    typeof record['lsn'] === 'number' &&
    typeof record['id'] === 'string' &&
    typeof record['type'] === 'string' &&
    typeof record['agent'] === 'string' &&
    typeof record['prev'] === 'string' &&
    isObject(record['s'])
  );
}

const FRAME = /^,"crc":"[0-9a-f]{8}"\}$/;

/**
 * The record in `bytes[start..end)` (without newline), or what is wrong with the line. The caller checks place and chain. No
 * encoding is named, which is UTF-8: a cold process first has to compile how Node finds one by its name (0.04 ms).
 */
export function decodeRecord(
  bytes: Buffer,
  start: number,
  end: number,
  sum: Sum = crc32,
): LedgerRecord | Damage {
  if (end - start < SEAL_BYTES) return 'frame';
  const seal = bytes.toString(undefined, end - SEAL_BYTES, end);
  if (seal !== `,"crc":"${hex8(sum(bytes, start, end - SEAL_BYTES))}"}`)
    return FRAME.test(seal) ? 'checksum' : 'frame';
  try {
    const value = JSON.parse(bytes.toString(undefined, start, end)) as Json;
    return isRecord(value) ? value : 'json';
  } catch {
    return 'json';
  }
}

/** Refuses records that a newer guard wrote. */
export function checkVersion(version: number, facts: { readonly lsn?: Lsn } = {}): void {
  if (version <= RECORD_VERSION) return;
  throw newerVersion(version, RECORD_VERSION, facts);
}
