// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The first use of the key makes it (key.ts). */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { isBelievable, KEY_BYTES, keyFile, readKey } from './key.ts';
import { makeDirs } from './make-dirs.ts';
import type { Environment } from './user-dirs.ts';

/**
 * Linked into place whole, so that of several processes at once all have the same one. What is there and not to be
 * believed is replaced: a key that others could read is worth nothing, and nothing is lost with it. Null where none can be
 * made: then nothing is signed, and nobody is taken at guard's word.
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
    // There is no place for it.
  }
  if (fs.existsSync(fresh)) fs.rmSync(fresh, { force: true });
  return readKey(env);
}

function put(fresh: string, file: string): void {
  try {
    fs.linkSync(fresh, file);
  } catch {
    // Most often another process was first.
    if (!isBelievable(fs.lstatSync(file))) fs.renameSync(fresh, file);
  }
}
