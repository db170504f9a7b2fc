/**
 * Ends this process at once. process.exit() wakes and joins Node's threads and frees what the kernel frees anyway: 1 ms of
 * CPU, a thirtieth of a hook (docs/decisions/270).
 */
import { nativeCode } from './native.ts';

/** Everything must be written and closed. */
export function endProcess(code: number): never {
  const { env, execArgv } = process;
  // Not if something happens at the end: a handler, or a profile or coverage that Node writes.
  if (!execArgv[0] && !env['NODE_OPTIONS'] && !env['NODE_V8_COVERAGE'] && process.listenerCount('exit') === 0)
    nativeCode().end?.(code);
  process.exit(code);
}
