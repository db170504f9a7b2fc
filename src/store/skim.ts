/**
 * What the index needs of a record, without making objects of the rest: which keys it touches, and how it
 * stands in the chain. A rebuild of a million records reads each one only once, and `JSON.parse` of their
 * states alone takes it 4 s of 8. Only for lines whose checksum is right: their bytes are JSON as guard
 * writes it. Where they turn out not to be, the answer is undefined and the caller parses.
 */
import type { Key, Lsn } from '../core/ledger.ts';
import { isExplicitId } from './record.ts';

export interface Skimmed {
  readonly v: number;
  readonly lsn: Lsn;
  /** crc of the record before. */
  readonly prev: number;
  readonly more: number;
  readonly type: string;
  /** Undefined where the engine gave the id. */
  readonly id: string | undefined;
  readonly agent: string;
  /** Of a `ledger.compact` record. */
  readonly first: number | undefined;
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

/** Moves behind the string that begins here. True when it has no escapes. */
function skipString(cursor: Cursor): boolean {
  const { bytes } = cursor;
  if (bytes[cursor.at] !== QUOTE) throw new NotSkimmable();
  let plain = true;
  let at = cursor.at + 1;
  for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
    if (byte === BACKSLASH) {
      plain = false;
      at++;
    }
    if (++at >= bytes.length) throw new NotSkimmable();
  }
  cursor.at = at + 1;
  return plain;
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  const plain = skipString(cursor);
  if (plain) return cursor.bytes.toString('utf8', start + 1, cursor.at - 1);
  return JSON.parse(cursor.bytes.toString('utf8', start, cursor.at)) as string;
}

/** Where a number, true, false or null that begins at `from` ends. */
function wordEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== COMMA && byte !== CLOSE && byte !== CLOSE_LIST; byte = bytes[at]) {
    if (++at >= bytes.length) throw new NotSkimmable();
  }
  return at;
}

/** Moves behind whatever value begins here. */
function skipValue(cursor: Cursor): void {
  const { bytes } = cursor;
  let depth = 0;
  let inside = false;
  let at = cursor.at;
  do {
    const byte = bytes[at];
    if (inside) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inside = false;
      at++;
    } else if (byte === QUOTE) {
      inside = true;
      at++;
    } else if (byte === OPEN || byte === OPEN_LIST) {
      depth++;
      at++;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth--;
      at++;
    } else if (byte === COMMA || byte === COLON) at++;
    else at = wordEnd(bytes, at);
    if (at > bytes.length) throw new NotSkimmable();
  } while (depth > 0 || inside);
  cursor.at = at;
}

function readNumber(cursor: Cursor): number {
  const start = cursor.at;
  cursor.at = wordEnd(cursor.bytes, start);
  return Number(cursor.bytes.toString('latin1', start, cursor.at));
}

/** Calls `member` at the value of every member of the object that begins here; it must move behind the value. */
function readObject(cursor: Cursor, member: (name: string) => void): void {
  expectByte(cursor, OPEN);
  if (cursor.bytes[cursor.at] === CLOSE) {
    cursor.at++;
    return;
  }
  for (;;) {
    const name = readString(cursor);
    expectByte(cursor, COLON);
    member(name);
    if (cursor.bytes[cursor.at] !== COMMA) break;
    cursor.at++;
  }
  expectByte(cursor, CLOSE);
}

type Draft = { -readonly [name in keyof Skimmed]: Skimmed[name] } & { keys: Key[]; removed: Key[] };

function readStates(cursor: Cursor, draft: Draft): void {
  readObject(cursor, (key) => {
    draft.keys.push(key);
    if (cursor.bytes[cursor.at] === NULL) draft.removed.push(key);
    skipValue(cursor);
  });
}

const FIELDS: Readonly<Record<string, (cursor: Cursor, draft: Draft) => void>> = {
  v: (cursor, draft) => void (draft.v = readNumber(cursor)),
  lsn: (cursor, draft) => void (draft.lsn = readNumber(cursor)),
  more: (cursor, draft) => void (draft.more = readNumber(cursor)),
  prev: (cursor, draft) => void (draft.prev = parseInt(readString(cursor), 16)),
  type: (cursor, draft) => void (draft.type = readString(cursor)),
  agent: (cursor, draft) => void (draft.agent = readString(cursor)),
  id(cursor, draft) {
    const id = readString(cursor);
    draft.id = isExplicitId(id) ? id : undefined;
  },
  first(cursor, draft) {
    const byte = cursor.bytes[cursor.at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) draft.first = readNumber(cursor);
    else skipValue(cursor);
  },
  s: readStates,
};

/** `bytes[start..end)` is the line, newline excluded. */
export function skim(bytes: Buffer, start: number, end: number): Skimmed | undefined {
  const cursor: Cursor = { bytes: bytes.subarray(start, end), at: 0 };
  const draft: Draft = { v: 0, lsn: 0, prev: 0, more: 0, type: '', id: undefined, agent: '', first: undefined, keys: [], removed: [] };
  try {
    readObject(cursor, (name) => {
      const read = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
      if (read === undefined) skipValue(cursor);
      else read(cursor, draft);
    });
    return cursor.at === end - start ? draft : undefined;
  } catch (error) {
    if (error instanceof NotSkimmable) return undefined;
    throw error;
  }
}
