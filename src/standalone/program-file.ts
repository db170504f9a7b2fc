import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { PACKAGE_NAME } from '../install/package-name.ts';
import { packageOf } from '../install/guard-root.ts';
import { VERSIONS } from '../install/program/home.ts';
import { isBorrowed } from '../repo/user-dirs.ts';

/** The greedy beginning makes the package's own `bin` or `dist` the last one in the path. */
const IN_PACKAGE = /^((?:[A-Za-z]:)?[/\\].*)[/\\](?:bin|dist)[/\\](?:cli[/\\])?[\w-]+\.[cm]js$/;

/** Whether a word is the absolute path of a program file of guard, in a program home: the binary is a Node for these alone. */
export function isProgramFile(word: string): boolean {
  const root = IN_PACKAGE.exec(word)?.[1];
  return root !== undefined && packageOf(root).name === PACKAGE_NAME && isInHome(root);
}

/**
 * In any home that no repository could fill, not only in that of the environment: a client may be started without the
 * XDG_DATA_HOME that the shell of `guard init` had.
 */
function isInHome(root: string): boolean {
  const above = dirname(root);
  const home = basename(above) === VERSIONS ? dirname(above) : root;
  return existsSync(join(home, VERSIONS)) && !isBorrowed(home, {});
}

/** @throws GuardError GUARD_ERR_USAGE for the path of a program file elsewhere. No command begins with one; a hook's line does. */
export function refuseOtherFile(word: string): void {
  if (!IN_PACKAGE.test(word)) return;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${word} is not in a program home of guard that this user can read, so this binary does not run it.`,
    'If a hook starts it, run "guard init" in that repository.',
    { path: word },
  );
}
