/** A file system in memory. Without anything of vitest: processes of tests use it, too. */
import { statfsSync } from 'node:fs';

/** On Linux: making and removing a guarded repository, some 90 files, takes a disk longer. */
const MEMORY = '/dev/shm';
/** Some 300 KB for a repository, 40 MB for a server, of which few are there at once. */
const ROOM_BYTES = 1024 ** 3;

/** For what is no test of a disk: in memory where there is room. GUARD_TEST_DISK=1: the disk for all of them. */
export const memoryOr = (dir: string): string =>
  process.env['GUARD_TEST_DISK'] === '1' || !hasRoom() ? dir : MEMORY;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
