/** The first use of the key makes it (key.ts). */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { KEY_BYTES, keyFile, readKey } from './key.ts';
import { makeDirs } from './make-dirs.ts';
import type { Environment } from './user-dirs.ts';

/**
 * Linked into place whole, so that of several processes at once all have the same one. Null where it cannot be made, or
 * where what is there is not to be believed: then nothing is signed, and nobody is taken at guard's word.
 */
export function makeKey(env: Environment): Buffer | null {
  const file = keyFile(env);
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const bytes = randomBytes(KEY_BYTES);
  const fresh = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    makeDirs(dirname(file));
    fs.writeFileSync(fresh, bytes, { mode: 0o600, flag: 'wx' });
    fs.linkSync(fresh, file);
  } catch {
    // Another process was first, or there is no place for it.
  }
  fs.rmSync(fresh, { force: true });
  return readKey(env);
}
