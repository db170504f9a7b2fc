/**
 * Puts a content into the store. Hooks do it with bytes and a digest that they have anyway: one stat where it is known,
 * else one file. Not compressed here, because zlib alone costs a cold process 1.4 ms (decision 134).
 */
import fs from 'node:fs';
import type { Digest } from '../core/types.ts';
import { KEPT_FILE_BYTES, type UndoLimits } from '../core/undo-limits.ts';
import { ASIDE, contentsDir, PACKED } from './entry.ts';
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

/** `known`: it was there. `failed`: the disk is full, or the directory cannot be written; a file without undo is still a file. */
export type KeepOutcome = 'new' | 'known' | 'not_kept' | 'failed';

export function keepContent({ state_dir, limits, wall_ms }: ContentStore, content: Content): KeepOutcome {
  const { digest, bytes } = content;
  if (bytes.length > KEPT_FILE_BYTES || !isKeepable(content, limits)) return 'not_kept';
  const file = `${contentsDir(state_dir)}/${digest}`;
  try {
    if (isThere(file, bytes.length, wall_ms) || isThere(file + PACKED, null, wall_ms)) return 'known';
    if (hasPrivateKey(bytes)) return 'not_kept';
    put(file, bytes);
    return 'new';
  } catch {
    return 'failed';
  }
}

/** Its time says when it was last wanted; once in six hours is enough for a store that keeps things for days. */
const RENEW_MS = 6 * 3_600_000;

/** @param size null: any but none at all, which is what a power loss may leave. */
function isThere(file: string, size: number | null, wall_ms: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || (size === null ? stat.size === 0 : stat.size !== size)) return false;
  if (wall_ms - stat.mtimeMs > RENEW_MS) fs.utimesSync(file, wall_ms / 1000, wall_ms / 1000);
  return true;
}

const hasPrivateKey = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('PRIVATE KEY-----');

/** Two that keep the same content rename the same bytes to the same name. */
export function put(file: string, bytes: Uint8Array): void {
  const aside = `${file}.${process.pid}${ASIDE}`;
  try {
    write(aside, bytes);
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

function write(aside: string, bytes: Uint8Array): void {
  try {
    fs.writeFileSync(aside, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Left by a process of the same number that was killed.
    if (code === 'EEXIST') fs.rmSync(aside);
    else if (code === 'ENOENT') fs.mkdirSync(aside.slice(0, aside.lastIndexOf('/')), { mode: 0o700 });
    else throw error;
    fs.writeFileSync(aside, bytes, { mode: 0o600, flag: 'wx' });
  }
}
