/**
 * Puts a content into the store. Hooks call it with bytes and a digest that they have anyway: it costs one stat if the content
 * is known, and one file otherwise. It does not compress, because zlib alone costs a cold process 1.4 ms (decision 134).
 */
import fs from 'node:fs';
import type { Digest } from '../core/types.ts';
import { KEPT_FILE_BYTES, type UndoLimits } from '../core/undo-limits.ts';
import { contentsDir, PACKED } from './entry.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { isKeepable, type ContentName } from './keepable.ts';

export interface Content extends ContentName {
  readonly digest: Digest;
  readonly bytes: Uint8Array;
}

export interface ContentStore {
  readonly state_dir: string;
  readonly limits: UndoLimits;
  readonly wall_ms: number;
}

/** `known`: it was there. `failed`: the disk is full, or the directory is not writable; a file without undo is still a file. */
export type KeepOutcome = 'new' | 'known' | 'not_kept' | 'failed';

export function keepContent({ state_dir, limits, wall_ms }: ContentStore, content: Content): KeepOutcome {
  const { digest, bytes } = content;
  if (bytes.length > KEPT_FILE_BYTES || !isKeepable(content, limits)) return 'not_kept';
  const file = `${contentsDir(state_dir)}/${digest}`;
  try {
    if (isThere(file, bytes.length, wall_ms) || isThere(file + PACKED, null, wall_ms)) return 'known';
    if (hasPrivateKey(bytes)) return 'not_kept';
    // Two processes that keep the same content rename the same bytes to the same name.
    replaceWithin(contentsDir(state_dir), digest, bytes);
    return 'new';
  } catch {
    return 'failed';
  }
}

/** The file's time shows when it was last needed; updating it every six hours is enough for a store that keeps contents for days. */
const RENEW_MS = 6 * 3_600_000;

/** @param size null accepts any size except 0, which a power loss may leave */
function isThere(file: string, size: number | null, wall_ms: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || (size === null ? stat.size === 0 : stat.size !== size)) return false;
  if (wall_ms - stat.mtimeMs > RENEW_MS) fs.utimesSync(file, wall_ms / 1000, wall_ms / 1000);
  return true;
}

const hasPrivateKey = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('PRIVATE KEY-----');
