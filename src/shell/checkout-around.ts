/** The root of the checkout that a directory lies in, as git finds it: the first with a `.git` on the way up. */
import type { Look } from './call.ts';
import { dirName, joined } from './path.ts';

/** @param from absolute; null: it lies in none */
export function checkoutAround(look: Look, from: string): string | null {
  for (let dir = from; ; dir = dirName(dir)) {
    if (look.kind(joined(dir, '.git')) !== null) return dir;
    if (dirName(dir) === dir) return null;
  }
}
