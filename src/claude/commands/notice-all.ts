// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Looks in the session's own ledger, and in those of other repositories that this agent wrote in, as far as there is time. */
import { dirname } from 'node:path';
import { authorOf, momentOf } from '../../core/drift.ts';
import { isGuardError } from '../../core/error.ts';
import type { Digest } from '../../core/types.ts';
import type { Target } from '../../repo/canonical.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { stampOf } from '../../repo/stat-key.ts';
import { baselineDir } from '../baseline-file.ts';
import { locateRepo } from '../../repo/locate.ts';
import { monotonic } from '../../repo/clock.ts';
import type { Place, Scene } from '../scene.ts';
import { noticeIn, spansIn } from './notice-drift.ts';
import type { Noticing } from './notice-drift.ts';
import { driftWords } from './told-drift.ts';

const ELSEWHERE_MAX = 4;
const ELSEWHERE_MS = 200;

/** What the agent is told; nothing where it does not hear. Nobody is stopped because guard could not look. */
export function noticeAll(scene: Scene, noticing: Noticing): readonly string[] {
  const notes = [...lookIn(scene, scene.home, noticing)];
  const until = monotonic() + ELSEWHERE_MS;
  for (const place of placesElsewhere(scene))
    if (monotonic() < until) notes.push(...lookIn(scene, place, noticing));
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
    return noticing.hears ? driftWords(scene, place, noticed) : [];
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

/** A file that is about to be refused as stale: who changed it, as far as nobody put that on record yet. */
export function noticeOne(scene: Scene, place: Place, file: Target, from: Digest, disk: DiskFact): void {
  if (disk.state !== 'file' && disk.state !== 'missing') return;
  const { who, now } = scene;
  const { ctime_ms, mtime_ms } = stampOf(file.real);
  const dir_mtime_ms = ctime_ms === null ? stampOf(dirname(file.real)).mtime_ms : null;
  const looked_ms =
    stampOf(`${baselineDir(place.state_dir, who.id)}/${nameHash(file.path)}.json`).mtime_ms ?? 0;
  const moment = momentOf({ ctime_ms, mtime_ms, dir_mtime_ms }, { looked_ms, now_ms: now.wall_ms });
  const author = authorOf(file.path, moment, spansIn(scene, place));
  const change = { path: file.path, from, to: disk.digest, seen: true, ...author };
  try {
    place.run({ type: 'drift', who, op: '', changes: [change] });
  } catch (error) {
    // The refusal is said without it.
    if (!isGuardError(error)) throw error;
  }
}
