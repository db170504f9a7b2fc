/** Which paths have to be looked at before globs are reserved. */
import type { Glob } from '../glob/pattern.ts';
import { PATHS, pathOfKey } from '../keys.ts';
import { aliveIn, oldestOf } from '../living.ts';
import { pathsAt } from '../paths-at.ts';
import type { RepoPath } from '../types.ts';
import { matchesIn } from './overlap.ts';
import { beginningsOf } from './places.ts';
import type { Looking } from './transaction.ts';

/** Of more paths it is worth to ask first since when anybody is here. */
const PATHS_FEW = 512;

/** What may be held of what the globs match: the files that they name, those that are known where they begin, or all that may be held. */
export function pathsMeant(
  { view, changes, facts }: Looking,
  scope: string,
  globs: readonly Glob[],
): readonly RepoPath[] {
  const begun = globs.flatMap((glob) => beginningsOf(scope, glob));
  const places = begun.map(({ names }) => scope + names.join('/'));
  if (begun.every(({ is_file }) => is_file)) return places;
  const met = pathsAt(view, places, (path) => globs.some((glob) => matchesIn(scope, glob, path)));
  if (met !== null) return met;
  const few = view.range(PATHS, 0, PATHS_FEW);
  const paths =
    few.length < PATHS_FEW ? few : view.range(PATHS, oldestOf(changes, aliveIn(view, changes, facts)));
  return paths.map(([key]) => pathOfKey(key));
}
