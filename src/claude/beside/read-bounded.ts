import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { SAFELY } from '../../repo/safely.ts';

/** Longer files are not compared: they cost more than the edit may. */
export const COMPARED_BYTES_MAX = 1 << 20;

/** Null: no regular file, a link, too long, or it cannot be read. */
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
