/** Where the scratch repositories of a test are. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';

/** A file system in memory, on Linux: making and removing a guarded repository, some 90 files, takes a disk longer. */
const MEMORY = '/dev/shm';
/** Some 300 KB each, of which few are there at once. */
const ROOM_BYTES = 1024 ** 3;
const TESTS = join(import.meta.dirname, '../..');

/** What a disk does is their subject: how it keeps times, inode numbers and what was written. Fences have a /dev of their own. */
const ON_DISK = /^(?:chaos|contents|fence|locks|repo|store|claude\/optimistic-locking)\/|^package/;

/** GUARD_TEST_DISK=1: the disk for all of them. */
export function scratchRoot(): string {
  const file = relative(TESTS, expect.getState().testPath ?? '');
  return process.env['GUARD_TEST_DISK'] === '1' || ON_DISK.test(file) || !hasRoom() ? tmpdir() : MEMORY;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
