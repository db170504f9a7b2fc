/** Where the scratch repositories of a test are. */
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { memoryOr } from './memory.ts';

const TESTS = join(import.meta.dirname, '../..');

/** What a disk does is their subject: how it keeps times, inode numbers and what was written. Fences have a /dev of their own. */
const ON_DISK = /^(?:chaos|contents|fence|locks|repo|store|claude\/optimistic-locking)\/|^package/;

export function scratchRoot(): string {
  const file = relative(TESTS, expect.getState().testPath ?? '');
  return ON_DISK.test(file) ? tmpdir() : memoryOr(tmpdir());
}
