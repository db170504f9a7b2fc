/** Directories that a configuration names: below the checkout, and nowhere else. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { GuardError } from '../core/error.ts';

/** @throws GuardError GUARD_ERR_PATH when `relative`, or a link on its way, leads out of `root` */
export function inside(root: string, relative: string): string {
  const path = normalize(join(root, relative));
  const stays = !isAbsolute(relative) && path.startsWith(`${root}${sep}`);
  if (stays && isBelow(root, path)) return path.replace(/[/\\]+$/, '');
  throw new GuardError(
    'GUARD_ERR_PATH',
    `${JSON.stringify(relative)} leads out of ${root}.`,
    'Name a directory inside the repository.',
    { root, given: relative },
  );
}

/** What does not exist yet is judged by what is above it. */
function isBelow(root: string, path: string): boolean {
  const real_root = realpathSync(root);
  for (let at = path; at !== root; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) continue;
    try {
      return realpathSync(at).startsWith(`${real_root}${sep}`);
    } catch {
      return false;
    }
  }
  return true;
}
