/**
 * The secret by which guard knows its own word again: 32 random bytes in the user's own state directory, which only this
 * user can read. One for all repositories, because one session may work in several. It is never in a ledger.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { type Environment, userStateDir } from './user-dirs.ts';

export const KEY_BYTES = 32;

export const keyFile = (env: Environment): string => join(userStateDir(env), 'key');

/** Null where there is none, or one that others could have read or put there. */
export function readKey(env: Environment): Buffer | null {
  const file = keyFile(env);
  try {
    return isBelievable(fs.lstatSync(file)) ? fs.readFileSync(file) : null;
  } catch {
    return null;
  }
}

export function isBelievable(stat: fs.Stats): boolean {
  const uid = process.getuid?.();
  // Windows has no owners and modes of this kind.
  const isOurs = uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0);
  return stat.isFile() && stat.size === KEY_BYTES && isOurs;
}
