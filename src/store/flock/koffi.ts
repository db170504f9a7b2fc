/** flock(2) of the C library through koffi, where somebody installed it: for Node versions without a prebuilt fs-ext. */
import type { Flock } from './flock.ts';
import { nativeRequire } from './load-native.ts';

const LOCK_EX = 2;
const LOCK_NB = 4;
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libc.so.6', `libc.musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`],
  darwin: ['libSystem.B.dylib'],
};

interface Koffi {
  load(path: string): { func(signature: string): (fd: number, operation: number) => number };
  errno(): number;
}

function load():
  { readonly koffi: Koffi; readonly flock: (fd: number, operation: number) => number } | undefined {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      const koffi = nativeRequire()('koffi') as Koffi;
      return { koffi, flock: koffi.load(library).func('int flock(int fd, int operation)') };
    } catch {
      // Not installed, or another C library.
    }
  }
  return undefined;
}

export function koffi(): Flock | undefined {
  const loaded = load();
  if (loaded === undefined) return undefined;
  return {
    name: 'koffi',
    take({ fd }) {
      if (loaded.flock(fd, LOCK_EX | LOCK_NB) === 0) return () => undefined;
      const errno = loaded.koffi.errno();
      const { EAGAIN, EWOULDBLOCK, EINTR } = process.getBuiltinModule('node:os').constants.errno;
      if ([EAGAIN, EWOULDBLOCK, EINTR].includes(errno)) return undefined;
      throw Object.assign(new Error(`flock: errno ${errno}`), { code: 'ENOLCK' });
    },
  };
}
