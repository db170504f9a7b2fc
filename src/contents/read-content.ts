/** Returns a content by its digest, intact or not at all: an entry that does not match its digest is removed, never returned. */
import { SAFELY } from '../repo/safely.ts';
import fs from 'node:fs';
import type { Digest } from '../core/types.ts';
import { KEPT_FILE_BYTES } from '../core/undo-limits.ts';
import { digestBytes } from '../repo/digest.ts';
import { contentsDir, entryOf, PACKED } from './entry.ts';

/** SHA-256 of empty input: an empty file needs no entry. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Null if it was not kept, has been swept, or is damaged. */
export function keptContent(state_dir: string, digest: Digest): Buffer | null {
  if (digest === EMPTY) return Buffer.alloc(0);
  if (entryOf(digest) === null) return null;
  const file = `${contentsDir(state_dir)}/${digest}`;
  // If it was packed after the first look, it has the other name now.
  return whole(file, digest, plain) ?? whole(file + PACKED, digest, inflated);
}

function whole(file: string, digest: Digest, read: (file: string) => Buffer): Buffer | null {
  try {
    const bytes = read(file);
    if (digestBytes(bytes) === digest) return bytes;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // It does not exist, or may not be read; anything else (zlib's errors) means damage.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'ELOOP'].includes(code))
      return null;
  }
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // It will be found damaged again.
  }
  return null;
}

function plain(file: string): Buffer {
  const fd = fs.openSync(file, SAFELY);
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

const inflated = (file: string): Buffer =>
  process.getBuiltinModule('node:zlib').inflateRawSync(plain(file), { maxOutputLength: KEPT_FILE_BYTES });
