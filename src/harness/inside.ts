/** Resolves directories that a configuration names, which must be below the checkout. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { GuardError } from '../core/error.ts';

/** @throws GuardError GUARD_ERR_PATH if `relative`, or a link on its way, leads out of `root` */
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

/** A path that does not exist yet is checked by its nearest existing ancestor. */
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
