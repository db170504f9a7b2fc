/** The root of the checkout that contains a directory, as git finds it: the nearest ancestor with a `.git`. */
import type { Look } from './call.ts';
import { dirName, joined } from './path.ts';

/** @param from an absolute path. Returns null if it is in no checkout. */
export function checkoutAround(look: Look, from: string): string | null {
  for (let dir = from; ; dir = dirName(dir)) {
    if (look.kind(joined(dir, '.git')) !== null) return dir;
    if (dirName(dir) === dir) return null;
  }
}
