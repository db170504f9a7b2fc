// lazy: loaded at the first call of one of its functions, and exports nothing else.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { GuardError } from '../core/error.ts';

/** Level by level, because `recursive` in Node 20 never returns below /proc. */
export function makeDirs(dir: string): void {
  const above = dirname(dir);
  if (fs.existsSync(dir)) return;
  if (above !== dir) makeDirs(above);
  try {
    fs.mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    const hint = 'Set HOME, or XDG_STATE_HOME, to a directory that can be written.';
    throw new GuardError('GUARD_ERR_STATE_DIR', `${dir} cannot be created.`, hint, { dir }, error);
  }
}
