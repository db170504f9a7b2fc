/**
 * What the index needs of a record, without making objects of the rest: which keys it touches, and how it
 * stands in the chain. A rebuild of a million records reads each one only once, and `JSON.parse` of their
 * states alone takes it 4 s of 8. Only for lines whose checksum is right: their bytes are JSON as guard
 * writes it. Where they turn out not to be, the answer is undefined and the caller parses.
 */
import type { Key, LedgerRecord, Lsn } from '../core/ledger.ts';
import { COMPACT_TYPE, decodeRecord, ENGINE_ID, isExplicitId, sealDamage, stands } from './record.ts';
import type { Damage, Sum } from './record.ts';

export interface Skimmed {
  readonly v: number;
  readonly lsn: Lsn;
  /** crc of the record before. */
  readonly prev: number;
  readonly crc: number;
  readonly more: number;
  /** It is a `ledger.compact` record, and this its `first`. */
  readonly compact: boolean;
  readonly first: number | undefined;
  /** Undefined where the engine gave the id. */
  readonly id: string | undefined;
  /** Empty where the engine gave the id: nobody asks then. */
  readonly agent: string;
  readonly keys: readonly Key[];
  /** Those of `keys` whose new state is null. */
  readonly removed: readonly Key[];
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const NULL = 0x6e;

class NotSkimmable extends Error {}

function expectByte(cursor: Cursor, byte: number): void {
  if (cursor.bytes[cursor.at] !== byte) throw new NotSkimmable();
  cursor.at++;
}

/** Where a number, true, false or null that begins at `from` ends. */
function wordEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== COMMA && byte !== CLOSE && byte !== CLOSE_LIST; byte = bytes[at]) {
    if (++at >= bytes.length) throw new NotSkimmable();
  }
  return at;
}

/** Behind the closing quote of the string whose opening quote is at `from`. */
function stringEnd(bytes: Buffer, from: number): number {
  let at = from + 1;
  for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
    at += byte === BACKSLASH ? 2 : 1;
    if (at >= bytes.length) throw new NotSkimmable();
  }
  return at + 1;
}

/** Moves behind whatever value begins here. */
function skipValue(cursor: Cursor): void {
  const { bytes } = cursor;
  let depth = 0;
  let at = cursor.at;
  do {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === COMMA || byte === COLON) at++;
    else if (byte === OPEN || byte === OPEN_LIST) {
      depth++;
      at++;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth--;
      at++;
    } else at = wordEnd(bytes, at);
  } while (depth > 0);
  cursor.at = at;
}

function readNumber(cursor: Cursor): number {
  const { bytes } = cursor;
  const end = wordEnd(bytes, cursor.at);
  let value = 0;
  for (let at = cursor.at; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) throw new NotSkimmable();
    value = value * 10 + digit;
  }
  cursor.at = end;
  return value;
}

/** Eight hex digits in quotes. */
function readCrc(cursor: Cursor): number {
  const start = cursor.at + 1;
  skipString(cursor);
  return parseInt(cursor.bytes.toString('latin1', start, cursor.at - 1), 16);
}

function skipString(cursor: Cursor): void {
  if (cursor.bytes[cursor.at] !== QUOTE) throw new NotSkimmable();
  cursor.at = stringEnd(cursor.bytes, cursor.at);
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  skipString(cursor);
  const text = cursor.bytes.toString('utf8', start + 1, cursor.at - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

type Draft = { -readonly [name in keyof Skimmed]: Skimmed[name] } & { keys: Key[]; removed: Key[] };

function readStates(cursor: Cursor, draft: Draft): void {
  const { bytes } = cursor;
  expectByte(cursor, OPEN);
  for (; bytes[cursor.at] !== CLOSE;) {
    if (draft.keys.length > 0) expectByte(cursor, COMMA);
    const key = readString(cursor);
    expectByte(cursor, COLON);
    draft.keys.push(key);
    if (bytes[cursor.at] === NULL) draft.removed.push(key);
    skipValue(cursor);
  }
  cursor.at++;
}

function readId(cursor: Cursor, draft: Draft): void {
  if (stands(cursor.bytes, cursor.at + 1, ENGINE_ID)) skipString(cursor);
  else draft.id = readString(cursor);
}

function readType(cursor: Cursor, draft: Draft): void {
  if (stands(cursor.bytes, cursor.at + 1, COMPACT_TYPE)) draft.compact = true;
  skipString(cursor);
}

/** Only of a `ledger.compact` record; a fact of that name in another record may be anything. */
function readFirst(cursor: Cursor, draft: Draft): void {
  if (draft.compact) draft.first = readNumber(cursor);
  else skipValue(cursor);
}

const FIELDS: readonly (readonly [name: string, read: (cursor: Cursor, draft: Draft) => void])[] = [
  ['s":', readStates],
  ['id":', readId],
  ['type":', readType],
  ['prev":', (cursor, draft) => void (draft.prev = readCrc(cursor))],
  ['crc":', (cursor, draft) => void (draft.crc = readCrc(cursor))],
  ['lsn":', (cursor, draft) => void (draft.lsn = readNumber(cursor))],
  ['v":', (cursor, draft) => void (draft.v = readNumber(cursor))],
  ['agent":', readAgent],
  ['more":', (cursor, draft) => void (draft.more = readNumber(cursor))],
  ['first":', readFirst],
];

function readAgent(cursor: Cursor, draft: Draft): void {
  if (draft.id === undefined) skipString(cursor);
  else draft.agent = readString(cursor);
}

function readMember(cursor: Cursor, draft: Draft): void {
  expectByte(cursor, QUOTE);
  for (const [name, read] of FIELDS) {
    if (!stands(cursor.bytes, cursor.at, name)) continue;
    cursor.at += name.length;
    read(cursor, draft);
    return;
  }
  cursor.at--;
  skipString(cursor);
  expectByte(cursor, COLON);
  skipValue(cursor);
}

/** `bytes[start..end)` is the line, newline excluded. */
export function skim(bytes: Buffer, start: number, end: number): Skimmed | undefined {
  const cursor: Cursor = { bytes, at: start };
  const draft: Draft = {
    v: 0,
    lsn: 0,
    prev: 0,
    crc: 0,
    more: 0,
    compact: false,
    first: undefined,
    id: undefined,
    agent: '',
    keys: [],
    removed: [],
  };
  try {
    expectByte(cursor, OPEN);
    readMember(cursor, draft);
    while (bytes[cursor.at] === COMMA && cursor.at < end) {
      cursor.at++;
      readMember(cursor, draft);
    }
    expectByte(cursor, CLOSE);
    return cursor.at === end ? draft : undefined;
  } catch (error) {
    if (error instanceof NotSkimmable) return undefined;
    throw error;
  }
}

/** The same, from a record that was parsed. */
export function skimmed(record: LedgerRecord): Skimmed {
  const { v, lsn, prev, crc, more, type, first, id, agent, s } = record;
  const keys = Object.keys(s);
  return {
    v,
    lsn,
    prev: parseInt(prev, 16),
    crc: parseInt(crc, 16),
    more: typeof more === 'number' ? more : 0,
    compact: type === COMPACT_TYPE,
    first: type === COMPACT_TYPE && typeof first === 'number' ? first : undefined,
    id: isExplicitId(id) ? id : undefined,
    agent,
    keys,
    removed: keys.filter((key) => s[key] === null),
  };
}

/** What the index needs of the line in `bytes[start..end)`, or what is wrong with the line. */
export function skimRecord(bytes: Buffer, start: number, end: number, sum: Sum): Skimmed | Damage {
  const damage = sealDamage(bytes, start, end, sum);
  if (damage !== undefined) return damage;
  const quick = skim(bytes, start, end);
  if (quick !== undefined) return quick;
  const record = decodeRecord(bytes, start, end, sum);
  return typeof record === 'string' ? record : skimmed(record);
}
