/**
 * The secret with which guard recognises its own messages: 32 random bytes in the user's state directory, readable only
 * by this user. One key serves all repositories, because a session may work in several. It is never stored in a ledger.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { type Environment, userStateDir } from './user-dirs.ts';

export const KEY_BYTES = 32;

export const keyFile = (env: Environment): string => join(userStateDir(env), 'key');

/** Null if there is none, or if others could have read or placed it. */
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
