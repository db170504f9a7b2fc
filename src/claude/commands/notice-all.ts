/** Looks in the session's own ledger, and in those of other repositories that this agent wrote in, as far as there is time. */
import { isGuardError } from '../../core/error.ts';
import { locateRepo } from '../../repo/locate.ts';
import { monotonic } from '../../repo/clock.ts';
import type { Place, Scene } from '../scene.ts';
import { noticeIn } from './notice-drift.ts';
import type { Noticing } from './notice-drift.ts';
import { wordsOf } from './told-drift.ts';

const ELSEWHERE_MAX = 4;
const ELSEWHERE_MS = 200;

/** What the agent is told; nothing where it does not hear. Nobody is stopped because guard could not look. */
export function noticeAll(scene: Scene, noticing: Noticing): readonly string[] {
  const notes = [...lookIn(scene, scene.home, noticing)];
  const until = monotonic() + ELSEWHERE_MS;
  for (const place of placesElsewhere(scene)) if (monotonic() < until) notes.push(...lookIn(scene, place, noticing));
  return notes;
}

/** Other ledgers that keep files of this agent. */
export function placesElsewhere(scene: Scene): readonly Place[] {
  const roots = scene.home.baselines.elsewhere().slice(0, ELSEWHERE_MAX);
  return roots
    .map((root) => placeOf(scene, root))
    .filter((place) => place !== null)
    .filter(({ state_dir }) => state_dir !== scene.home.state_dir);
}

function lookIn(scene: Scene, place: Place, noticing: Noticing): readonly string[] {
  try {
    const noticed = noticeIn(scene, place, noticing);
    return noticing.hears ? wordsOf(scene, place, noticed) : [];
  } catch (error) {
    // A busy ledger, a deadline: the next hook looks again.
    if (isGuardError(error)) return [];
    throw error;
  }
}

function placeOf(scene: Scene, root: string): Place | null {
  try {
    return scene.place(locateRepo(root, scene.env));
  } catch (error) {
    if (isGuardError(error)) return null;
    throw error;
  }
}
