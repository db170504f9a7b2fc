/**
 * The settings files that guard's hooks were put into, so that their loss is noticed (ConfigChange veto).
 * A small file of its own: hooks read it. Loaded by the hook bundle.
 */
import { join } from 'node:path';
import { realPath } from '../repo/real-path.ts';
import { textOf } from '../repo/small-file.ts';
import { userStateDir } from '../repo/user-dirs.ts';
import type { Environment } from '../repo/user-dirs.ts';

export const HOOKED_FILE = 'hooked.json';

/** User-scope installs are on record in the user's own state directory, for every repository. */
export function isHookedFile(stateDir: string, file: string, env: Environment): boolean {
  try {
    const real = realPath(file);
    return [stateDir, userStateDir(env)].some((dir) => hookedFiles(dir).includes(real));
  } catch {
    return false;
  }
}

/** Absolute, links resolved. */
export function hookedFiles(stateDir: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(textOf(join(stateDir, HOOKED_FILE)) ?? '[]');
    return Array.isArray(value) ? value.filter((file) => typeof file === 'string') : [];
  } catch {
    return [];
  }
}
