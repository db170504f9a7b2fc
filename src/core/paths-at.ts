/** The paths that the ledger knows at some places, by name only: their states are read once a name is of interest. */
import { pathKey, pathOfKey, PATHS } from './keys.ts';
import type { Lsn, View } from './ledger.ts';
import { aliveIn, oldestOf } from './living.ts';
import type { Looking } from './rules/transaction.ts';
import type { RepoPath } from './types.ts';

const PAGE = 1_024;
/** For more paths than this, one listing with states is cheaper than reading each. */
const MET_MAX = 1_024;

/**
 * Sorted, without duplicates.
 *
 * @param places files, or directories with everything below; '' is everything, `//<worktree>/` a whole checkout
 * @param since paths last touched before this need not be found
 * @returns `null` if the engine has no such list, or if too many paths match for it to be worthwhile
 */
export function pathsAt(
  view: View,
  places: readonly RepoPath[],
  isMeant: (path: RepoPath) => boolean,
  since?: Lsn,
): readonly RepoPath[] | null {
  const found = new Set<RepoPath>();
  for (const place of outermost(places)) {
    const isWhole = place === '' || place.endsWith('/');
    if (!isWhole && isMeant(place)) found.add(place);
    const below = pathKey(isWhole ? place : `${place}/`);
    for (let after = '', left = true; left;) {
      const keys = view.keys?.(below, after, PAGE, since) ?? null;
      if (keys === null) return null;
      for (const path of keys.map(pathOfKey)) if (isMeant(path)) found.add(path);
      if (found.size > MET_MAX) return null;
      left = keys.length === PAGE;
      after = keys.at(-1) ?? '';
    }
  }
  return [...found].sort();
}

/** For more paths than this, it pays to find out first since when any living agent has been here. */
const PATHS_FEW = 512;

/** As `pathsAt`; if there is no such list, at least the paths that a living agent may hold, unsorted. */
export function pathsMet(
  { view, changes, facts }: Looking,
  places: readonly RepoPath[],
  isMeant: (path: RepoPath) => boolean,
): readonly RepoPath[] {
  const met = pathsAt(view, places, isMeant);
  if (met !== null) return met;
  const few = view.range(PATHS, 0, PATHS_FEW);
  const paths =
    few.length < PATHS_FEW ? few : view.range(PATHS, oldestOf(changes, aliveIn(view, changes, facts)));
  return paths.map(([key]) => pathOfKey(key)).filter(isMeant);
}

/** Without places that are inside another one. */
function outermost(places: readonly RepoPath[]): readonly RepoPath[] {
  const kept: RepoPath[] = [];
  for (const place of [...new Set(places)].sort()) {
    const isIn = (other: RepoPath): boolean =>
      other === '' || place.startsWith(other.endsWith('/') ? other : `${other}/`);
    if (!kept.some(isIn)) kept.push(place);
  }
  return kept;
}
