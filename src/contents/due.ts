/** Which additions to the store ask for a sweep of it. */
import type { Digest } from '../core/types.ts';

/** So many bytes are added on average between two sweeps that additions ask for. */
const STRIDE_BYTES = 8 << 20;
const LEAST = 1 / 512;

/**
 * A long session adds without starting anew. Counting what is there would cost each hook a look at all entries, so chance
 * decides, by the digest: the larger a content, the likelier that it asks for a sweep.
 */
export function asksForSweep(digest: Digest, bytes: number): boolean {
  const draw = Number.parseInt(digest.slice(0, 8), 16) / 0x1_0000_0000;
  return draw < Math.max(bytes / STRIDE_BYTES, LEAST);
}
