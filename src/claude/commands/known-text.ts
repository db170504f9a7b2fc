/** The content of a file by its digest, if a hook kept a copy when an agent saw it. */
import type { Digest } from '../../core/types.ts';
import { keptContent } from '../../contents/read-content.ts';
import { decodeText } from '../text/encoding.ts';

/** A larger difference is too long to show, and takes longer than the answer may. */
export const TEXT_MAX_BYTES = 512 << 10;

/** Null if it was not kept or is not text. */
export function knownText(state_dir: string, digest: Digest): string | null {
  const bytes = keptContent(state_dir, digest);
  return bytes === null || bytes.length > TEXT_MAX_BYTES ? null : decodeText(bytes);
}
