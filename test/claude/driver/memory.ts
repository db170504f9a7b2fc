/** A file system in memory. Does not import vitest, because processes of tests use it too. */
import { statfsSync } from 'node:fs';

/** Linux only: creating and removing the 90 or so files of a guarded repository takes longer on a disk. */
export const MEMORY = '/dev/shm';
/** About 300 KB per repository and 40 MB per server, of which few exist simultaneously. */
const ROOM_BYTES = 1024 ** 3;

/** For tests that are not about a disk: in memory if there is room. GUARD_TEST_DISK=1 puts all of them on disk. */
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
