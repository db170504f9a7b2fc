/**
 * flock(2) through guard's own native file (native/flock.c), one for each architecture of Linux: Node-API, so it is
 * the same for every Node version, and no C library, so it is the same with glibc and musl. 2.3 KB, opened directly.
 */
import type { Flock } from './flock.ts';

/** Returns 0, or the negative errno. */
interface Binding {
  take(fd: number, operation: number): number;
}

const LOCK_EX_NB = 2 | 4;
/** Linux numbers them alike on every architecture that there is a file for. */
const EINTR = -4;
const EAGAIN = -11;

/**
 * In this package and nowhere above it: `native` could be the name of a package of somebody else's.
 * @param running this file, as source, bundle or chunk
 */
export function nativeDir(running: string = import.meta.filename): string {
  const at = Math.max(running.lastIndexOf('/dist/'), running.lastIndexOf('/src/'));
  return `${running.slice(0, at)}/native`;
}

export const nativeName = (platform: string, arch: string): string => `flock-${platform}-${arch}.node`;

function load(): Binding | undefined {
  const opened: { exports: Partial<Binding> } = { exports: {} };
  try {
    process.dlopen(opened, `${nativeDir()}/${nativeName(process.platform, process.arch)}`);
  } catch {
    // Another architecture, or the file is gone: the next provider takes the same lock, and doctor says so.
    return undefined;
  }
  return typeof opened.exports.take === 'function' ? (opened.exports as Binding) : undefined;
}

export function nativeFlock(): Flock | undefined {
  const binding = process.platform === 'linux' ? load() : undefined;
  if (binding === undefined) return undefined;
  return {
    name: 'native',
    take({ fd }) {
      const result = binding.take(fd, LOCK_EX_NB);
      if (result === 0) return () => undefined;
      if (result === EAGAIN || result === EINTR) return undefined;
      throw Object.assign(new Error(`flock: errno ${-result}`), { code: 'ENOLCK' });
    },
  };
}
