import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/store/crc32.ts';

/** What zlib says: eight bytes before the end of its own format. */
const byZlib = (bytes: Uint8Array): number => gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8);

test('sums of every length and from every place are those of zlib', () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 151 + (at >> 3)) & 255));
  for (let length = 0; length < 270; length++)
    for (const start of [0, 1, 2, 3])
      expect(crc32(bytes, start, start + length)).toBe(byZlib(bytes.subarray(start, start + length)));
});
