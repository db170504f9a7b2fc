import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/store/crc32.ts';
import { crc32ByTable } from '../../src/store/plain-sums.ts';

/** zlib's checksum: eight bytes before the end of its own format. */
const byZlib = (bytes: Uint8Array): number => gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8);

test.each([
  ['what hooks use here', crc32],
  ['the table', crc32ByTable],
])('by %s, sums of every length and from every place are those of zlib', (_what, sum) => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 151 + (at >> 3)) & 255));
  for (let length = 0; length < 270; length++)
    for (const start of [0, 1, 2, 3])
      expect(sum(bytes, start, start + length)).toBe(byZlib(bytes.subarray(start, start + length)));
});
