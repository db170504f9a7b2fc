/**
 * flock(2) through fs-ext's native binding. The prebuilt file for this platform is opened directly: its
 * package entry lists a directory and loads two scripts first (1.9 ms cold, against 0.3). Where there is no
 * such file the package decides: it may have been compiled on this machine.
 */
import { errnoOf } from '../failure.ts';
import type { Flock } from './flock.ts';
import { nativeRequire } from './load-native.ts';

/** The binding throws Errno exceptions; only the form without callback is synchronous. */
interface Binding {
  flock(fd: number, operation: number): unknown;
}

declare const __dirname: string | undefined;

const LOCK_EX_NB = 2 | 4;
const PACKAGE = 'fs-ext';

/** Beside the bundle: in guard's own node_modules, or hoisted next to guard. */
function* packageDirs(): Generator<string> {
  if (typeof __dirname === 'string')
    yield* [`${__dirname}/../node_modules/${PACKAGE}`, `${__dirname}/../../${PACKAGE}`];
  yield nativeRequire().resolve(`${PACKAGE}/package.json`).slice(0, -'/package.json'.length);
}

function isBinding(value: unknown): value is Binding {
  return typeof value === 'object' && value !== null && 'flock' in value && typeof value.flock === 'function';
}

function openDirectly(dir: string): Binding | undefined {
  const major = process.versions.node.split('.')[0] ?? '';
  const opened = { exports: {} };
  try {
    process.dlopen(
      opened,
      `${dir}/binaries/fs-ext-${process.platform}-${process.arch}-node-${major}.0.0.node`,
    );
    return isBinding(opened.exports) ? opened.exports : undefined;
  } catch {
    return undefined;
  }
}

function openPackage(): Binding | undefined {
  const api = nativeRequire()(PACKAGE) as { flockSync(fd: number, operation: number): unknown };
  return { flock: (fd, operation) => api.flockSync(fd, operation) };
}

function load(): Binding | undefined {
  try {
    for (const dir of packageDirs()) {
      const binding = openDirectly(dir);
      if (binding !== undefined) return binding;
    }
    return openPackage();
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
        binding.flock(fd, LOCK_EX_NB);
        return () => undefined;
      } catch (error) {
        if (['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(errnoOf(error) ?? '')) return undefined;
        throw error;
      }
    },
  };
}
