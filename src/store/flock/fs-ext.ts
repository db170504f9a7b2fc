/** flock(2) through fs-ext's API (the prebuilt fork; the compiled original has the same one). */
import { errnoOf } from '../failure.ts';
import type { Flock } from './flock.ts';
import { nativeRequire } from './load-native.ts';

interface FsExt {
  flockSync(fd: number, flags: 'exnb'): unknown;
}

function load(): FsExt | undefined {
  try {
    return nativeRequire()('fs-ext') as FsExt;
  } catch {
    // Not installed, or no binary for this Node: the next provider takes the same lock.
    return undefined;
  }
}

export function fsExt(): Flock | undefined {
  const binding = process.platform === 'win32' ? undefined : load();
  if (binding === undefined) return undefined;
  return {
    name: 'fs-ext',
    take({ fd }) {
      try {
        // Only the synchronous form: four blocked calls of the other starve the thread pool.
        binding.flockSync(fd, 'exnb');
        return () => undefined;
      } catch (error) {
        if (['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(errnoOf(error) ?? '')) return undefined;
        throw error;
      }
    },
  };
}
