/**
 * Reads only the parts of a record that an index needs: its keys, its id and its place in the chain. Rebuilding an
 * index consists mostly of reading lines, and most of that would be creating objects for states that no one reads.
 *
 * The checksum is always verified. A line that has a valid one but is not the plain form that guard writes (escapes in
 * a name, a record about the ledger itself, another version) is decoded in full, and so is every line in which this
 * reader meets something unexpected: only `decodeRecord` reports what is wrong with a line.
 */
import type { Key, LedgerRecord, Lsn } from '../../core/ledger.ts';
import { crc32 } from '../crc32.ts';
import { COMPACT_TYPE, decodeRecord, isExplicitId, RECORD_VERSION, SEAL_BYTES } from '../record.ts';
import type { Damage, Sum } from '../record.ts';
import {
  ENGINE_ID,
  HEAD,
  HEX_CHARS,
  hexAt,
  literal,
  LSN,
  MORE,
  NULL,
  numberAt,
  OWN_TYPE,
  PREV,
  sealedCrc,
  standsAt,
  STATES,
} from './line-bytes.ts';
import type { Linked } from './walk.ts';

export interface Skimmed extends Linked {
  readonly v: number;
  /** More records of the same commit follow. */
  readonly more: boolean;
  readonly live: readonly Key[];
  readonly removed: readonly Key[];
  /** `[agent, id]` if the record's id was given by a caller. */
  readonly id: readonly [string, string] | undefined;
  /** Where the ledger now begins, if the record says so. */
  readonly first: Lsn | undefined;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const CLOSE = 125;

const TYPE = literal(',"type":"');
const TS = literal(',"ts":"');
const AGENT = literal(',"agent":"');

/** Position of the closing quote of the string whose content begins at `at`. */
function stringEnd(bytes: Uint8Array, at: number): number {
  for (; bytes[at] !== QUOTE; at++) {
    if (bytes[at] === BACKSLASH) at++;
    if (at >= bytes.length) return at;
  }
  return at;
}

/** The same for a string without escapes; -1 if it has one. */
function plainEnd(bytes: Uint8Array, at: number): number {
  for (; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH || at >= bytes.length) return -1;
  return at;
}

/** Where the value that begins at `at` ends: at a comma or bracket of the enclosing object. */
function valueEnd(bytes: Uint8Array, at: number): number {
  for (let depth = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = stringEnd(bytes, at + 1);
    else if (byte === COMMA && depth === 0) return at;
    // [ and {, ] and } differ only in the bit for case.
    else if ((byte & 0xdf) === 0x5b) depth++;
    else if ((byte & 0xdf) === 0x5d && --depth < 0) return at;
  }
  return at;
}

/** Where `,"s":{` begins, after all facts; -1 if it is missing. */
function statesAt(bytes: Uint8Array, from: number): number {
  for (let at = from; bytes[at] === COMMA && bytes[at + 1] === QUOTE;) {
    if (standsAt(bytes, at, STATES)) return at;
    const colon = stringEnd(bytes, at + 2) + 1;
    at = valueEnd(bytes, colon + 1);
  }
  return -1;
}

/** Sorts the keys of the object whose first key begins at `from` into `live` and `removed`. Returns its end, or -1. */
function keysIn(bytes: Buffer, from: number, live: Key[], removed: Key[]): number {
  let at = from;
  while (bytes[at] === QUOTE) {
    const end = plainEnd(bytes, at + 1);
    if (end < 0) return -1;
    (standsAt(bytes, end + 2, NULL) ? removed : live).push(bytes.toString('utf8', at + 1, end));
    at = valueEnd(bytes, end + 2);
    if (bytes[at] === COMMA) at++;
  }
  return bytes[at] === CLOSE ? at : -1;
}

/** Reads a line in the form that guard writes; undefined if it must be decoded in full. `end`: end of the checksummed part. */
function quick(bytes: Buffer, start: number, end: number, crc: number): Skimmed | undefined {
  const idAt = start + HEAD.length;
  const idEnd = plainEnd(bytes, idAt);
  if (!standsAt(bytes, start, HEAD) || idEnd < 0 || !standsAt(bytes, idEnd + 1, TYPE)) return undefined;
  const typeAt = idEnd + 1 + TYPE.length;
  const tsAt = plainEnd(bytes, typeAt) + 1;
  if (tsAt === 0 || standsAt(bytes, typeAt, OWN_TYPE) || !standsAt(bytes, tsAt, TS)) return undefined;
  const agentAt = stringEnd(bytes, tsAt + TS.length) + 1;
  const agentEnd = plainEnd(bytes, agentAt + AGENT.length);
  if (agentEnd < 0 || !standsAt(bytes, agentAt, AGENT)) return undefined;
  const agent = (): string => bytes.toString('utf8', agentAt + AGENT.length, agentEnd);

  const states = statesAt(bytes, agentEnd + 1);
  const live: Key[] = [];
  const removed: Key[] = [];
  const close = states < 0 ? -1 : keysIn(bytes, states + STATES.length, live, removed);
  if (close < 0) return undefined;
  const more = standsAt(bytes, close + 1, MORE);
  const prevAt = more ? valueEnd(bytes, close + 1 + MORE.length) : close + 1;
  const prev = hexAt(bytes, prevAt + PREV.length);
  const lsnAt = prevAt + PREV.length + HEX_CHARS;
  const lsn = numberAt(bytes, lsnAt + LSN.length, end);
  if (prev < 0 || lsn < 0 || !standsAt(bytes, prevAt, PREV) || !standsAt(bytes, lsnAt, LSN)) return undefined;
  const isOwn = standsAt(bytes, idAt, ENGINE_ID);
  const id = isOwn ? undefined : ([agent(), bytes.toString('utf8', idAt, idEnd)] as const);
  return { v: RECORD_VERSION, lsn, prev, crc, more, live, removed, id, first: undefined };
}

function full(record: LedgerRecord): Skimmed {
  const { v, lsn, s, agent, type, first } = record;
  const keys = Object.keys(s);
  return {
    v,
    lsn,
    prev: Number(`0x${record.prev}`),
    crc: Number(`0x${record.crc}`),
    more: record['more'] !== undefined,
    live: keys.filter((key) => s[key] !== null),
    removed: keys.filter((key) => s[key] === null),
    id: isExplicitId(record.id) ? [agent, record.id] : undefined,
    first: type === COMPACT_TYPE && typeof first === 'number' ? first : undefined,
  };
}

/** What an index needs from the record in `bytes[start..end)` (without newline), or what is wrong with the line. */
export function skimRecord(bytes: Buffer, start: number, end: number, sum: Sum = crc32): Skimmed | Damage {
  const crc = sealedCrc(bytes, start, end, sum);
  const skimmed = crc < 0 ? undefined : quick(bytes, start, end - SEAL_BYTES, crc);
  if (skimmed !== undefined) return skimmed;
  const record = decodeRecord(bytes, start, end, sum);
  return typeof record === 'string' ? record : full(record);
}
