/** A record's line in bytes, for readers that create no object of it: its frame, and the numbers in it. */
import { type Sum, RECORD_VERSION, SEAL_BYTES } from '../record.ts';

export const literal = (text: string): Uint8Array => Buffer.from(text);

export const HEAD = literal(`{"v":${RECORD_VERSION},"id":"`);
export const ENGINE_ID = literal('lsn:');
export const OWN_TYPE = literal('ledger.');
export const STATES = literal(',"s":{');
export const MORE = literal(',"more":');
export const PREV = literal(',"prev":"');
export const LSN = literal('","lsn":');
export const NULL = literal('null');
export const HEX_CHARS = 8;
const CRC = literal(',"crc":"');
const END = literal('"}');

/** Whether `wanted` is at `at`. */
export function standsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  let same = 0;
  while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
  return same === wanted.length;
}

/** The number in eight lower-case hex digits; -1 if they are not that. */
export function hexAt(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + HEX_CHARS; i++) {
    const byte = bytes[i] ?? 0;
    const digit = byte >= 48 && byte <= 57 ? byte - 48 : byte >= 97 && byte <= 102 ? byte - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** The number in the digits `bytes[at..end)`; -1 if they are not digits. */
export function numberAt(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = at; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return end > at && value <= Number.MAX_SAFE_INTEGER ? value : -1;
}

/** The checksum of the line in `bytes[start..end)` (without newline); -1 if its end is not the seal that guard writes, with that sum. */
export function sealedCrc(bytes: Uint8Array, start: number, end: number, sum: Sum): number {
  const seal = end - SEAL_BYTES;
  const crc = hexAt(bytes, seal + CRC.length);
  const isFramed = seal > start && standsAt(bytes, seal, CRC) && standsAt(bytes, end - END.length, END);
  return isFramed && crc === sum(bytes, start, seal) ? crc : -1;
}
