/** What changes with every change of a file: device, inode, size, times. Of a directory also what is in it; of a link its own. */
import { lstatSync } from 'node:fs';

export interface Stamp {
  /** `dev.ino.size.mtimeNs.ctimeNs`; '' where there is nothing, or nothing that may be looked at. */
  readonly key: string;
  /** Null: there is no such file. */
  readonly ctime_ms: number | null;
  readonly mtime_ms: number | null;
  readonly bytes: number;
}

const NOTHING: Stamp = { key: '', ctime_ms: null, mtime_ms: null, bytes: 0 };

export function stampOf(file: string): Stamp {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
    const key = [dev, ino, size, mtimeNs, ctimeNs].join('.');
    return { key, ctime_ms: Number(ctimeNs) / 1e6, mtime_ms: Number(mtimeNs) / 1e6, bytes: Number(size) };
  } catch {
    return NOTHING;
  }
}

export const keyOf = (file: string): string => stampOf(file).key;
