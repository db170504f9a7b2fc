/**
 * A write to a file that was not approved: usually another hook redirected it there with `updatedInput`
 * (docs/decisions/079).
 */
import { noteIn, type Room } from './told.ts';
import { pausedBy } from '../../core/policy/pause.ts';
import { afterWrite } from '../../core/rules/knowledge.ts';
import { statusOf } from '../../core/report.ts';
import { displayPath } from '../../repo/canonical.ts';
import { readOff } from '../../install/off.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { Located } from './targets.ts';
import { consult } from '../../store/transact.ts';

/** Hosts without ids cannot tell which approval belongs to a write; while guard is off there are none. */
export function wasJudged({ input, home, now }: Hook, space: HookSpace): boolean {
  if (input.tool_use_id === '') return false;
  return readOff(pausedBy(space, home).state_dir, now) === null;
}

/** The files that this call was approved for; must be asked before the end of the write is recorded. */
export function approvedIn(space: HookSpace, op: string): readonly string[] {
  const open = space.agent()?.op;
  return open?.id === op ? open.paths.map(displayPath) : [];
}

/** Returns the note for the agent. Nothing counts as seen, and the holder of the file is notified at its next step. */
export function tellAstray(
  hook: Hook,
  { target, space }: Located,
  approved: readonly string[],
  room: Room,
): string {
  const agent = space.agent();
  space.baselines.write(target.path, afterWrite(agent?.turn ?? 1, null, false, null));
  const others = holdersOf(space, target.path).filter((holder) => holder !== hook.who.id);
  const allowed =
    approved.length === 0 ? 'guard approved no such write' : `guard approved ${approved.join(', ')}`;
  // Approved under a cached lease that had ended: the rest is said with the locks that the agent lost (revoked.ts).
  const isLate = agent?.revoked?.some(({ cause }) => cause === 'away') === true;
  const why = isLate
    ? 'under a lock that had ended before the write could be recorded.'
    : `but ${allowed}. Does another hook rewrite the input of tools (updatedInput)?`;
  if (others.length > 0) tellHolders(hook, { target, space }, others);
  const told = others.length > 0 ? ` It is locked by ${others.join(', ')}, who have been notified.` : '';
  return noteIn(
    room,
    `guard: this call wrote ${target.abs}, ${why}${told} Read the file, see what was lost, and tell the user.`,
  );
}

function holdersOf({ store, facts }: HookSpace, path: string): string[] {
  const { leases } = consult(store, (view) => statusOf(view, facts()));
  return [...new Set(leases.filter((lease) => lease.path === path).map(({ holder }) => holder))];
}

function tellHolders({ who, input }: Hook, { target, space }: Located, to: readonly string[]): void {
  const body = `${target.abs}, which you hold, was overwritten by a ${input.tool} of ${who.id} that guard had not approved. Read it again before you write it.`;
  const message = {
    topic: null,
    thread_id: null,
    subject: 'Overwritten',
    importance: 'urgent',
    ack_required: false,
  } as const;
  space.run({ type: 'message.send', who, to, message: { ...message, body } });
}
