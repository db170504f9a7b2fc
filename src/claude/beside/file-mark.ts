/** 16 digits that change with every change of a file, for fifty files per edit: 10 us each in a new process, where a stamp (repo/stat-key) and its hash take 32. */
import { lstatSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';

export interface FileMark {
  readonly mark: string;
  readonly bytes: number;
  readonly mtime_ms: number;
}

/** Null if there is no file, or none that may be looked at. A link is marked itself, not its target. */
export const fileMarkOf = (file: string): FileMark | null =>
  attempt(() => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { mark: hashOf([dev, ino, size, mtimeMs, ctimeMs]), bytes: size, mtime_ms: mtimeMs };
  }, null);

const WORDS = 10;

/** The same hash as repo/name-hash, over the ten words of five numbers instead of sixty letters. */
function hashOf(numbers: readonly number[]): string {
  const words = new Uint32Array(new Float64Array(numbers).buffer);
  let left = 0x811c9dc5;
  let right = 0x9747b28c;
  for (let at = 0; at < WORDS; at++) {
    const word = words[at] ?? 0;
    left = Math.imul(left ^ word, 0x01000193);
    left ^= left >>> 15;
    right = Math.imul((right << 5) | (right >>> 27), 0x01000193) ^ Math.imul(word, 0x9e3779b1);
  }
  return hex(left) + hex(right);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
