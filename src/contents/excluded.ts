// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Globs of the configuration that keep files out of the store. Loaded only if there are any. */
import { matchesGlob } from '../core/glob/match.ts';
import { parseGlob } from '../core/glob/parse.ts';

/** A glob without a slash matches names in any directory, as in .gitignore. Files of linked worktrees count as the checkout's. */
export function isExcluded(path: string, globs: readonly string[]): boolean {
  const inside = path.replace(/^\/\/[^/]+\//, '');
  return globs.some((glob) => matchesGlob(parseGlob(rooted(glob)), inside));
}

const rooted = (glob: string): string => (glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`);
