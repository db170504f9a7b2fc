/**
 * CRC-32 (IEEE, reflected), as zlib computes it. The table form is for cold processes: loading node:zlib
 * costs a hook 1 to 2 ms, summing a 400-byte record in plain JavaScript 0.05 ms.
 */

/** Each power of two by shifting, all others as sums of two known ones: an eighth of the steps, and every cold process makes it. */
const table = /* @__PURE__ */ (() => {
  const entries = new Int32Array(256);
  let power = 1;
  for (let byte = 128; byte > 0; byte >>>= 1) {
    power = power & 1 ? (power >>> 1) ^ 0xedb88320 : power >>> 1;
    for (let below = 0; below < 256; below += 2 * byte) entries[byte + below] = power ^ (entries[below] ?? 0);
  }
  return entries;
})();

/** CRC-32 of `bytes[start..end)`, 0 to 2^32-1. Four bytes a turn, for the reason of `pageSum` (embedded/page.ts). */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let sum = -1;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] ?? 0)) & 255] ?? 0);
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at + 1] ?? 0)) & 255] ?? 0);
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at + 2] ?? 0)) & 255] ?? 0);
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at + 3] ?? 0)) & 255] ?? 0);
  }
  for (; at < end; at++) sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] ?? 0)) & 255] ?? 0);
  return ~sum >>> 0;
}

/** Eight lower-case hex digits of a 32-bit number. */
export function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
