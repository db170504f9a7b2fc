/** What changes with every change of a file: device, inode, size, times. */
import { statSync } from 'node:fs';

/** One word; empty where there is no file, or none that can be looked at. */
export function stampOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return '';
    const { dev, ino, size, mtimeNs, ctimeNs } = stat;
    return [dev, ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    return '';
  }
}
