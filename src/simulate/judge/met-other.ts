/** A write that found a different text than the transcripts had left: someone worked whom no transcript records. */
import { denialOf } from '../../core/denial.ts';
import { judgeBaseline } from '../../core/rules/baseline.ts';
import { shownAt } from '../../core/shown.ts';
import type { ToldCall } from '../transcript/happening.ts';
import { factsAt, pathStateIn, revealAt, type Scene } from '../world/world.ts';
import type { ToldText } from './told-text.ts';
import { type BegunFile, type BegunWrite, noteDenial } from './write-begin.ts';

export const digestOfText = ({ world }: Scene, told: ToldText): string | null =>
  typeof told === 'string' ? world.texts.keep(told) : null;

export function meetWhatWas(
  scene: Scene,
  call: ToldCall,
  begun: BegunWrite,
  { file, told }: { readonly file: BegunFile; readonly told: string | null },
): void {
  const { world } = scene;
  const { path } = file.place;
  const now = world.disk.at(path);
  if (!now.is_known) {
    revealAt(world, path, told);
    return;
  }
  const digest = digestOfText(scene, told);
  // It replaced the content from its beginning: another agent's write came in between, and this one overwrote it.
  if (digest === now.digest || digest === file.digest) return;
  world.disk.put(path, told, { at_ms: begun.began_ms, by: null });
  if (!begun.denied) judgeLate(scene, call, file);
}

/** At its beginning the hook would have found this content, which had not been shown by then. */
function judgeLate(scene: Scene, call: ToldCall, { place, known, knew_ms, saw_part_ms }: BegunFile): void {
  const { world, actor } = scene;
  const state = world.actors.state(actor);
  if (state === undefined) return;
  if (actor.ran_ms >= Math.max(knew_ms, saw_part_ms) && known !== null) {
    world.counts.unjudged_writes++;
    return;
  }
  const { digest, changed_ms } = world.disk.at(place.path);
  const disk = { state: digest === null ? 'missing' : 'file', digest, ctime_ms: changed_ms } as const;
  const facts = factsAt(scene, place.is_inside);
  const at = shownAt(place.abs, place.path, facts);
  const compared = { state: pathStateIn(world, place.path), baseline: known, disk };
  const objection = judgeBaseline(at, state, compared, facts);
  const denial = objection === null ? null : denialOf([objection]);
  if (denial !== null) noteDenial(scene, call, denial);
}
