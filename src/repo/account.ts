// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The account of this user, asked of the system: needed only where the environment names no place to believe. */
import { lstatSync } from 'node:fs';
import { nearestReal } from './nearest-real.ts';

/** The home directory of the account, whatever the environment says. */
export function accountHome(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir;
  } catch {
    // A container may run under a uid that has no account.
    return '/';
  }
}

/** Where everybody may make directories (/tmp), another user's says nothing about what is below. */
export function isOpenToAll(dir: string): boolean {
  return (lstatSync(dir).mode & 0o1002) === 0o1002;
}

/** A checkout around the home directory itself: dotfiles, the user's own. */
export function holdsAccountHome(dir: string): boolean {
  const [home, real] = [nearestReal(accountHome()), nearestReal(dir)];
  return home === real || home.startsWith(`${real}/`);
}
