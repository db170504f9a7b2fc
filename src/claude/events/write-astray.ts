/**
 * A write that was carried out on a file that nobody approved: most often a hook of somebody else moved it there with
 * `updatedInput` (docs/decisions/079).
 */
import { pausedBy } from '../../core/policy/pause.ts';
import { afterWrite } from '../../core/rules/knowledge.ts';
import { statusOf } from '../../core/report.ts';
import { displayPath } from '../../repo/canonical.ts';
import { readOff } from '../../install/off.ts';
import type { Place, Scene } from '../scene.ts';
import type { Located } from './targets.ts';
import type { Room } from './told.ts';
import { consult } from '../../store/transact.ts';

/** Hosts without ids cannot tell which approval belongs to a write; while guard is off there are none. */
export function wasJudged({ input, home, now }: Scene, place: Place): boolean {
  if (input.tool_use_id === '') return false;
  return readOff(pausedBy(place, home).state_dir, now) === null;
}

/** The files that this call was approved for; asked before the end of the write is recorded. */
export function approvedIn(place: Place, op: string): readonly string[] {
  const open = place.agent()?.op;
  return open?.id === op ? open.paths.map(displayPath) : [];
}

/** What the agent is told; nothing counts as seen, and whoever holds the file hears of it at their next step. */
export function tellAstray(
  scene: Scene,
  { target, place }: Located,
  approved: readonly string[],
  room: Room,
): string {
  place.baselines.write(target.path, afterWrite(place.agent()?.turn ?? 1, null, false, null));
  const others = holdersOf(place, target.path).filter((holder) => holder !== scene.who.id);
  const allowed =
    approved.length === 0 ? 'guard approved no such write' : `guard approved ${approved.join(', ')}`;
  if (others.length > 0) tellHolders(scene, { target, place }, others);
  const told = others.length > 0 ? ` It is locked by ${others.join(', ')}, who are told.` : '';
  const note =
    `guard: this call wrote ${target.abs}, but ${allowed}. Does another hook change what tools are called with ` +
    `(updatedInput)?${told} Read the file, see what was lost, and tell the user.`;
  room.left_chars -= note.length + 2;
  return note;
}

function holdersOf({ store, facts }: Place, path: string): string[] {
  const { leases } = consult(store, (view) => statusOf(view, facts));
  return [...new Set(leases.filter((lease) => lease.path === path).map(({ holder }) => holder))];
}

function tellHolders({ who, input }: Scene, { target, place }: Located, to: readonly string[]): void {
  const body = `${target.abs}, which you hold, was overwritten by a ${input.tool} of ${who.id} that guard had not approved. Read it again before you write it.`;
  const letter = {
    topic: null,
    thread_id: null,
    subject: 'Overwritten',
    importance: 'urgent',
    ack_required: false,
  } as const;
  place.run({ type: 'message.send', who, to, letter: { ...letter, body } });
}
