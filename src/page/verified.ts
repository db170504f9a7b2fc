/** A content that the server sent, checked against its digest here rather than on the server. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ContentAnswer } from './wire.ts';

export interface VerifiedContent {
  readonly digest: string;
  readonly state: 'verified' | 'false' | 'not_kept' | 'too_large';
  /** `null` if it was not kept, or does not match its digest. */
  readonly text: string | null;
}

export function verified(asked: string, { state, bytes }: ContentAnswer): VerifiedContent {
  if (state !== 'kept' || bytes === null)
    return { digest: asked, state: state === 'too_large' ? 'too_large' : 'not_kept', text: null };
  const given = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
  if (bytesToHex(sha256(given)) !== asked) return { digest: asked, state: 'false', text: null };
  return { digest: asked, state: 'verified', text: new TextDecoder().decode(given) };
}
