/** Which additions to the store trigger a sweep. */
import type { Digest } from '../core/types.ts';

/** The average number of bytes added between two sweeps that additions trigger. */
const STRIDE_BYTES = 8 << 20;
const LEAST = 1 / 512;

/**
 * A long session adds contents without a restart. Counting the entries would cost every hook a look at all of them, so
 * chance decides, based on the digest: the larger a content, the more likely it triggers a sweep.
 */
export function asksForSweep(digest: Digest, bytes: number): boolean {
  const draw = Number.parseInt(digest.slice(0, 8), 16) / 0x1_0000_0000;
  return draw < Math.max(bytes / STRIDE_BYTES, LEAST);
}
