/**
 * Fingerprints of keys, for the index. They need not be cryptographic: the index only says where to look, and the
 * record found there is checked for the key itself, so a collision costs a read but never a wrong answer.
 */
import type { Key } from '../core/ledger.ts';

/** `a`, `b`: 64 bits of the whole key; `kind`: 16 bits of the text before its first ':', 1 to 0xfffd. */
export interface Fingerprint {
  readonly a: number;
  readonly b: number;
  readonly kind: number;
}

/** The kind of slots for record ids; no key has it. */
export const KIND_ID = 0xfffe;

function finish(sum: number): number {
  let mixed = sum ^ (sum >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export function kindOfKey(name: string): number {
  let sum = 0x2545f491;
  for (let at = 0; at < name.length; at++) sum = Math.imul(sum ^ name.charCodeAt(at), 0x01000193);
  return 1 + (finish(sum) % 0xfffd);
}

export function fingerprint(key: Key): Fingerprint {
  let a = 0x9e3779b9 ^ key.length;
  let b = 0x85ebca6b;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  const colon = key.indexOf(':');
  return { a: finish(a), b: finish(b), kind: kindOfKey(colon < 0 ? key : key.slice(0, colon)) };
}

/** Ids are per agent: two agents may use the same one. No key contains NUL, so no key collides. */
export function idFingerprint(agent: string, id: string): Fingerprint {
  return { ...fingerprint(`\0${agent}\0${id}`), kind: KIND_ID };
}
