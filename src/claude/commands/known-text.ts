/** What a file held, by its digest, where hooks kept a copy when somebody saw it. */
import type { Digest } from '../../core/types.ts';
import { keptContent } from '../../contents/read-content.ts';
import { decodeText } from '../text/encoding.ts';

/** A difference of more is too much to say, and takes time that the answer does not have. */
export const TEXT_MAX_BYTES = 512 << 10;

/** Null: not kept, or no text. */
export function knownText(state_dir: string, digest: Digest): string | null {
  const bytes = keptContent(state_dir, digest);
  return bytes === null || bytes.length > TEXT_MAX_BYTES ? null : decodeText(bytes);
}
