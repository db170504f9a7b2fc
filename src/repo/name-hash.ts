/**
 * A short name for a long text, for file names: 16 hex digits, two FNV-1a hashes of 32 bits with different
 * starts, mixed at the end. Not for security: a file found by such a name must itself state what it is about
 * (agent and path), and one that states something else counts as unreadable, which only costs a re-read.
 *
 * Hand-written because it costs nothing in a cold process, while node:crypto takes 2 to 4 ms, and node:zlib (crc32) and
 * xxhash-wasm about the same (docs/decisions/021). Among 1e6 names, the probability of a collision is 3e-8.
 */

/** MurmurHash3's finaliser: spreads every bit of the input over the whole word. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

export function nameHash(text: string): string {
  let left = 0x811c9dc5;
  let right = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    // Both bytes of the UTF-16 unit together; the rotation keeps the two lanes from moving in step.
    const unit = text.charCodeAt(i);
    left = Math.imul(left ^ unit, 0x01000193);
    right = Math.imul((right << 5) | (right >>> 27), 0x01000193) ^ Math.imul(unit, 0x9e3779b1);
  }
  return hex(mix(left ^ Math.imul(right, 0x27d4eb2f))) + hex(mix(right ^ left));
}
