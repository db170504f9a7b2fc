// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Creates the key on its first use (key.ts). */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { isBelievable, KEY_BYTES, keyFile, readKey } from './key.ts';
import { makeDirs } from './make-dirs.ts';
import type { Environment } from './user-dirs.ts';

/**
 * Linked into place as a complete file, so that concurrent processes get the same key. An existing key that is not
 * trustworthy is replaced: one that others could read is worthless, so nothing is lost. Null if it cannot be created:
 * then nothing is signed, and no signature is accepted.
 */
export function makeKey(env: Environment): Buffer | null {
  const file = keyFile(env);
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const fresh = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    makeDirs(dirname(file));
    fs.writeFileSync(fresh, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    put(fresh, file);
  } catch {
    // There is no place to store it.
  }
  if (fs.existsSync(fresh)) fs.rmSync(fresh, { force: true });
  return readKey(env);
}

function put(fresh: string, file: string): void {
  try {
    fs.linkSync(fresh, file);
  } catch {
    // Most likely another process was faster.
    if (!isBelievable(fs.lstatSync(file))) fs.renameSync(fresh, file);
  }
}
