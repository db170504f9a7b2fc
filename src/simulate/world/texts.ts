/** Contents of files by digest: the newest ones, up to a size limit. */
import type { Digest } from '../../core/types.ts';
import { digestBytes } from '../../repo/digest.ts';

export interface Texts {
  readonly keep: (text: string) => Digest;
  /** Undefined if it is no longer kept, or was never seen. */
  readonly get: (digest: Digest) => string | undefined;
}

const CHARS_MAX = 64 * 1024 * 1024;

export function openTexts(chars_max = CHARS_MAX): Texts {
  const texts = new Map<Digest, string>();
  let chars = 0;
  const put = (digest: Digest, text: string): void => {
    texts.delete(digest);
    texts.set(digest, text);
  };
  const shrink = (): void => {
    for (const [digest, text] of texts) {
      if (chars <= chars_max) return;
      texts.delete(digest);
      chars -= text.length;
    }
  };
  return {
    keep(text) {
      const digest = digestBytes(Buffer.from(text));
      if (!texts.has(digest)) chars += text.length;
      put(digest, text);
      shrink();
      return digest;
    },
    get(digest) {
      const text = texts.get(digest);
      if (text !== undefined) put(digest, text);
      return text;
    },
  };
}
