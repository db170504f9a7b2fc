/** CRC-32 (IEEE, reflected), as zlib computes it. */
import { nativeCode } from '../repo/native.ts';
import { crc32ByTable } from './plain-sums.ts';

/** CRC-32 of `bytes[start..end)`, 0 to 2^32-1. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  return nativeCode().crc32?.(bytes, start, end) ?? crc32ByTable(bytes, start, end);
}

/** Eight lower-case hex digits of a 32-bit number. */
export function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
