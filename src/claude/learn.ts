// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What an agent was shown of a file becomes what it knows of it, whichever tool showed it. */
import { pathKey } from '../core/keys.ts';
import { changedSinceJoin } from '../core/rules/baseline.ts';
import { afterRead } from '../core/rules/knowledge.ts';
import type { ShownPart } from '../core/rules/knowledge.ts';
import { asPathState } from '../core/states.ts';
import type { Target } from '../repo/canonical.ts';
import { digestFile } from '../repo/digest.ts';
import type { DiskFact } from '../repo/digest.ts';
import { alone } from '../store/upkeep.ts';
import { homeLife, turnOf } from './events/targets.ts';
import type { Located } from './events/targets.ts';
import { keep } from './kept.ts';
import type { Place, Scene } from './scene.ts';

/** Null for what no tool shows the text of. */
export function readable(scene: Scene, { target }: Located): DiskFact | null {
  if (target.kind === 'directory' || target.kind === 'special') return null;
  return digestFile(target.real, { deadline: scene.deadline, want_bytes: true });
}

/** `disk`: what was compared with what was shown. */
export function learn(scene: Scene, { target, place }: Located, disk: DiskFact, shown: ShownPart): void {
  keep(scene, place, target, disk);
  const turn = turnOf(scene);
  const isOld =
    shown.verdict !== 'part' ||
    place.baselines.read(target.path) !== null ||
    isOlderThanAgent(scene, place, target, disk);
  const add = (): void => {
    const old = place.baselines.read(target.path);
    place.baselines.write(target.path, afterRead(old, turn, shown, disk.digest, isOld || old !== null));
  };
  // Parts that are read side by side add up: each must see what the other one left.
  if (shown.verdict === 'part') alone(place.state_dir, add, place.config.deadline_ms / 2);
  else add();
}

function isOlderThanAgent(scene: Scene, place: Place, { path }: Target, disk: DiskFact): boolean {
  const agent = scene.home.agent();
  if (agent === undefined) return false;
  const joined_lsn = homeLife(scene, place) === null ? agent.joined_lsn : null;
  const state = asPathState(place.glimpse.at([pathKey(path)])(pathKey(path)));
  return !changedSinceJoin({ ...agent, joined_lsn }, state, disk);
}
