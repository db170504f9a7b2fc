// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** This user's account according to the system, needed only if the environment names no trustworthy place. */
import { lstatSync } from 'node:fs';
import { nearestReal } from './nearest-real.ts';

/** The account's home directory, regardless of the environment. */
export function accountHome(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir;
  } catch {
    // A container may run under a uid without an account.
    return '/';
  }
}

/** In directories where everyone may create files (/tmp), another user's directory says nothing about what is below it. */
export function isOpenToAll(dir: string): boolean {
  return (lstatSync(dir).mode & 0o1002) === 0o1002;
}

/** Whether a checkout contains the home directory itself: the user's own dotfiles. */
export function holdsAccountHome(dir: string): boolean {
  const [home, real] = [nearestReal(accountHome()), nearestReal(dir)];
  return home === real || home.startsWith(`${real}/`);
}
