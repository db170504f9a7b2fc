/** What a file held, by its digest: copies that hooks made of what agents saw, `contents/<digest>` beside the ledger. */
import fs from 'node:fs';
import type { Digest } from '../../core/types.ts';
import { digestBytes } from '../../repo/digest.ts';
import { decodeText } from '../text/encoding.ts';

const MAX_BYTES = 1 << 20;

/** Null: not kept, or no text. */
export function knownText(state_dir: string, digest: Digest): string | null {
  const bytes = bytesOf(`${state_dir}/contents/${digest}`);
  return bytes !== null && digestBytes(bytes) === digest ? decodeText(bytes) : null;
}

function bytesOf(file: string): Buffer | null {
  try {
    return fs.statSync(file).size > MAX_BYTES ? null : fs.readFileSync(file);
  } catch {
    return null;
  }
}
