/**
 * HMAC-SHA-256 (RFC 2104), using the SHA-256 that a hook has loaded anyway: node:crypto would cost it 3 to 6 ms
 * (docs/decisions/020).
 */
import { digestBytes } from './digest.ts';

const BLOCK_BYTES = 64;

/** Lower-case hex. @param key at most 64 bytes */
export function seal(key: Uint8Array, ...parts: readonly string[]): string {
  const pad = (byte: number): Uint8Array =>
    Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ byte);
  const inner = digestBytes(Buffer.concat([pad(0x36), Buffer.from(JSON.stringify(parts))]));
  return digestBytes(Buffer.concat([pad(0x5c), Buffer.from(inner, 'hex')]));
}
