/** From the paths of a tool call to files, each with the ledger that keeps it. */
import type { Life } from '../../core/rules/write-begin.ts';
import { isGuardError } from '../../core/error.ts';
import type { Target } from '../../repo/canonical.ts';
import { newLooks } from '../../repo/locate.ts';
import type { Looks } from '../../repo/locate.ts';
import type { Place, Scene } from '../scene.ts';

export interface Located {
  readonly target: Target;
  readonly place: Place;
}

export interface Unlocated {
  readonly given: string;
  readonly failure: { readonly code: string; readonly message: string; readonly hint: string };
  /** Of GUARD_ERR_PATH (repo/real-path.ts). */
  readonly reason?: unknown;
}

/** Throws nothing for a path that cannot be used: that is a finding about the path. */
export function locate(scene: Scene, given: readonly string[], looks = newLooks()): (Located | Unlocated)[] {
  return given.map((path) => locateOne(scene, path, looks));
}

function locateOne(scene: Scene, given: string, looks: Looks): Located | Unlocated {
  try {
    const target = scene.resolve(given, looks);
    return { target, place: scene.place(target.repo) };
  } catch (error) {
    if (!isGuardError(error)) throw error;
    const { code, message, hint, facts } = error;
    return { given, failure: { code, message, hint }, reason: facts['reason'] };
  }
}

export const isLocated = (found: Located | Unlocated): found is Located => 'target' in found;

/** Files of one ledger together, so that each ledger sees one transaction. */
export function byPlace(located: readonly Located[]): Map<Place, Target[]> {
  const groups = new Map<Place, Target[]>();
  for (const { target, place } of located) groups.set(place, [...(groups.get(place) ?? []), target]);
  return groups;
}

/** The life that baselines are judged in is the session's, wherever the file is; null where the file is at home. */
export function homeLife(scene: Scene, place: Place): Life | null {
  if (place.state_dir === scene.home.state_dir) return null;
  const state = scene.home.agent();
  if (state === undefined) return null;
  const { turn, joined_wall_ms, context } = state;
  return { turn, joined_wall_ms, context, joined_lsn: null };
}

export const turnOf = (scene: Scene): number => scene.home.agent()?.turn ?? 1;
