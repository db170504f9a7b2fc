/** The paths that must be examined before globs are reserved. */
import { literalEnd } from '../glob/apart.ts';
import type { Glob } from '../glob/pattern.ts';
import { pathsMet } from '../paths-at.ts';
import type { RepoPath } from '../types.ts';
import { matchesIn } from './overlap.ts';
import { beginningsOf } from './places.ts';
import type { Looking } from './transaction.ts';

/** Matching paths that may be held: files the globs name, known files where they begin, or all that may be held. */
export function pathsMeant(looking: Looking, scope: string, globs: readonly Glob[]): readonly RepoPath[] {
  const begun = globs.flatMap((glob) => beginningsOf(scope, glob));
  const places = begun.map(({ names }) => scope + names.join('/'));
  if (begun.every(({ is_file }) => is_file)) return places;
  // Ten thousand names may be examined, most of which differ in their ending.
  const wanted = globs.map((glob) => ({ glob, end: literalEnd(glob.text) }));
  return pathsMet(looking, places, (path) =>
    wanted.some(({ glob, end }) => path.endsWith(end) && matchesIn(scope, glob, path)),
  );
}
