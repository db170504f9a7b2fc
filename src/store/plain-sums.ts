// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The ledger's checksums without a native file: loading node:zlib costs a hook 1 to 2 ms, a 400-byte record here 0.05 ms. */

/** Powers of two by shifting, all others as sums of two known entries: an eighth of the steps, which every cold process pays. */
const table = /* @__PURE__ */ (() => {
  const entries = new Int32Array(256);
  let power = 1;
  for (let byte = 128; byte > 0; byte >>>= 1) {
    power = power & 1 ? (power >>> 1) ^ 0xedb88320 : power >>> 1;
    for (let below = 0; below < 256; below += 2 * byte) entries[byte + below] = power ^ (entries[below] ?? 0);
  }
  return entries;
})();

/** CRC-32 of `bytes[start..end)`. Handles four bytes per iteration for the same reason as `pageSumByTurns`. */
export function crc32ByTable(bytes: Uint8Array, start: number, end: number): number {
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

/** Number of words of a page that its checksum covers. */
const SUMMED = 127;

/**
 * Checksum of an index page (embedded/page.ts). Handles four words per iteration: a short loop over the 20 pages of an
 * event would trigger V8's optimizer, which costs 7 million instructions, 5 % of the hook.
 */
export function pageSumByTurns(page: Int32Array, number: number): number {
  const word = (at: number): number => page[at] ?? 0;
  let sum = 0x811c9dc5 ^ number;
  let at = 0;
  for (; at + 4 <= SUMMED; at += 4) {
    sum = Math.imul(sum ^ word(at), 0x9e3779b1);
    sum = Math.imul(sum ^ (sum >>> 15) ^ word(at + 1), 0x9e3779b1);
    sum = Math.imul(sum ^ (sum >>> 15) ^ word(at + 2), 0x9e3779b1);
    sum = Math.imul(sum ^ (sum >>> 15) ^ word(at + 3), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  for (; at < SUMMED; at++) {
    sum = Math.imul(sum ^ word(at), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  return sum | 0;
}
