/**
 * Encodes keys as bytes that sort, and have prefixes, like JavaScript strings: each UTF-16 unit is written like a code
 * point in UTF-8, so each surrogate takes three bytes. The database's text type allows neither lone surrogates nor NUL,
 * and sorts pairs after U+FFFF.
 */
import type { Key } from '../../core/ledger.ts';

const HALF = /[\ud800-\udfff]/;

export function bytesOfKey(key: Key): Buffer {
  if (!HALF.test(key)) return Buffer.from(key, 'utf8');
  const bytes: number[] = [];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Buffer.from(bytes);
}

/** Whether there are encoded surrogates, which begin with 0xed 0xa0 to 0xed 0xbf. */
const hasHalves = (bytes: Buffer): boolean =>
  bytes.some((byte, at) => byte === 0xed && (bytes[at + 1] ?? 0) >= 0xa0);

export function keyOfHex(hex: string): Key {
  const bytes = Buffer.from(hex, 'hex');
  if (!hasHalves(bytes)) return bytes.toString('utf8');
  let key = '';
  for (let at = 0; at < bytes.length;) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const length = a < 0x80 ? 1 : a < 0xe0 ? 2 : 3;
    const unit =
      length === 1
        ? a
        : length === 2
          ? ((a & 0x1f) << 6) | (b & 0x3f)
          : ((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f);
    key += String.fromCharCode(unit);
    at += length;
  }
  return key;
}
