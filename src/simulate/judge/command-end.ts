/** After a command line: what it left in the files that it names, as far as that is known. */
import { lineOnlyLooks } from '../../claude/commands/quick.ts';
import { asText } from '../../claude/input.ts';
import type { ToldCall } from '../transcript/happening.ts';
import { factsAt, learnAt, type Scene, turnIn } from '../world/world.ts';
import type { BegunCommand } from './command-files.ts';
import { isClientsOwn } from './told-text.ts';

const GOES: ReadonlySet<string> = new Set(['remove', 'move']);

/** No transcript shows what it left in its files; the hook after the command would tell its own agent. */
export function simulateCommandEnd(scene: Scene, call: ToldCall, { files, is_open }: BegunCommand): void {
  const { world, actor, at_ms } = scene;
  const { who } = actor;
  if (actor.ran_ms > 0 && !lineOnlyLooks(asText(call.input['command']))) actor.ran_ms = at_ms;
  if (files.length === 0 || isClientsOwn(call)) return;
  const turn = turnIn(scene);
  // A failed line is not counted: it may have written, or have been refused before it ran.
  const written = call.result?.is_error === true ? [] : files.filter(({ acts }) => !isOnlyAttributes(acts));
  for (const { place, acts } of written) {
    world.tree.note(place.abs);
    const known = world.knowledge.of(place.path, who.id);
    world.losses.noteCommand(place.path, who.id, at_ms, known?.at_ms ?? 0);
    world.contention.noteWrite(place.path, who.id);
    const change = { at_ms, by: who.id };
    const is_gone = [...acts].every((act) => GOES.has(act));
    const { digest } = is_gone
      ? world.disk.put(place.path, null, change)
      : world.disk.blur(place.path, change);
    if (known !== null)
      learnAt(scene, place.path, { turn, knows: digest === null ? 'absent' : 'content', digest });
  }
  if (!is_open) return;
  const left = files.map(({ place: { path } }) => ({ path, digest: world.disk.at(path).digest }));
  world.ledger.run({ type: 'command.end', who, op: call.id, tool: call.tool, left }, factsAt(scene));
}

const isOnlyAttributes = (acts: ReadonlySet<string>): boolean =>
  [...acts].every((act) => act === 'attributes');
