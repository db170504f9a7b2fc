/** Where the Unix socket is. */
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ensureStateDir } from '../repo/state-dir.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** sun_path is 104 bytes on macOS and the BSDs, 108 on Linux, including the terminator. */
const PATH_MAX_BYTES = 103;

export const fits = (path: string): boolean => Buffer.byteLength(path) <= PATH_MAX_BYTES;

/**
 * In the state directory; if that path is too long, in this user's own directory in XDG_RUNTIME_DIR or the temporary
 * directory, under a name derived from the state directory's.
 * @throws GuardError GUARD_ERR_STATE_DIR for a directory that others can access
 */
export function defaultSocket(state_dir: string, env: Environment): string {
  const inside = join(state_dir, 'serve.sock');
  if (fits(inside)) return inside;
  const name = `${createHash('sha256').update(state_dir).digest('hex').slice(0, 16)}.sock`;
  const runtime = env['XDG_RUNTIME_DIR'];
  const inRuntime = runtime !== undefined && isAbsolute(runtime) ? join(runtime, 'guard') : null;
  const dir = inRuntime !== null && fits(join(inRuntime, name)) ? inRuntime : ofOwn();
  ensureStateDir(dir);
  return join(dir, name);
}

const ofOwn = (): string => join(tmpdir(), `guard-${process.getuid?.() ?? userInfo().username}`);
