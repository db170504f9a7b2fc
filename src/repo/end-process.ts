/**
 * Ends this process at once. process.exit() wakes and joins Node's threads and frees what the kernel frees anyway: 1 ms of
 * CPU, a thirtieth of a hook (docs/decisions/270).
 */
import { attempt } from '../core/attempt.ts';
import { type Native, nativeName } from './native.ts';

/**
 * Everything must be written and closed.
 * @param dist where this package is built
 */
export function endProcess(code: number, dist: string): never {
  const { arch, env, execArgv, platform } = process;
  // Not if something happens at the end: a handler, or a profile or coverage that Node writes.
  if (
    !execArgv[0] &&
    !env['NODE_OPTIONS'] &&
    !env['NODE_V8_COVERAGE'] &&
    process.listenerCount('exit') === 0
  ) {
    const native: { exports: Partial<Native> } = { exports: {} };
    attempt(() => process.dlopen(native, `${dist}/../native/${nativeName(platform, arch)}`), undefined);
    native.exports.end?.(code);
  }
  process.exit(code);
}
