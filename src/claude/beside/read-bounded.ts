import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { SAFELY } from '../../repo/safely.ts';

/** Longer files are not compared: that would cost more time than an edit has. */
export const COMPARED_BYTES_MAX = 1 << 20;

/** Null if it is not a regular file, is a link, is too long, or cannot be read. */
export const readBounded = (file: string): Buffer | null => attempt(() => bytesOf(file), null);

function bytesOf(file: string): Buffer | null {
  const fd = openSync(file, SAFELY);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > COMPARED_BYTES_MAX) return null;
    const buffer = Buffer.allocUnsafe(stat.size);
    return readSync(fd, buffer, 0, stat.size, 0) === stat.size ? buffer : null;
  } finally {
    closeSync(fd);
  }
}
