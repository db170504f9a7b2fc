/** What changes with every change of a file: device, inode, size, times. */
import { statSync } from 'node:fs';

/** One word; empty where there is no file, or none that can be looked at. */
export function stampOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    return '';
  }
}
