/** Where a test's scratch repositories are. */
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { memoryOr } from './memory.ts';

const TESTS = join(import.meta.dirname, '../..');

/** Tests of disk behaviour: how it keeps times, inode numbers and content. Fences have their own /dev. */
const ON_DISK = /^(?:chaos|contents|fence|locks|repo|store|claude\/optimistic-locking)\/|^package/;

export function scratchRoot(): string {
  const file = relative(TESTS, expect.getState().testPath ?? '');
  return ON_DISK.test(file) ? tmpdir() : memoryOr(tmpdir());
}
