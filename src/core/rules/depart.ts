/**
 * Leaving of one's own accord: everything is given back and the agent is not listed any more, until its next sign of
 * life. The end of a session is `leave` (turn.ts).
 */
import { reservedKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asProfile, hasLeft, profileKey } from '../profiles.ts';
import { draftOver } from '../states.ts';
import type { Facts, RepoPath } from '../types.ts';
import { dropLeases, present } from './agent.ts';
import type { Who } from './agent.ts';
import { dropReserved } from './reserved-index.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface DepartEvent {
  readonly type: 'agent.depart';
  readonly who: Who;
  /** What the caller saw this agent hold, for the record's readers; what ends is everything. */
  readonly paths: readonly RepoPath[];
  readonly reservations: readonly string[];
}

/** False: it was not here. Nothing is written then. */
export function depart(view: View, event: DepartEvent, facts: Facts): Step<boolean> {
  const { id } = event.who;
  const draft = draftOver(view);
  const before = draft.agent(id);
  const profile = asProfile(draft.get(profileKey(id)));
  const holds = event.paths.length + event.reservations.length > 0;
  if (before === undefined || (!holds && (!before.live || hasLeft(profile, before))))
    return { records: [], result: false };
  const { mono_ms, wall_ms, boot } = facts.now;
  const agent = dropLeases(draft, {
    ...present(draft, event.who, facts, view.next),
    active_mono_ms: mono_ms,
    active_wall_ms: wall_ms,
    background: [],
  });
  if (draft.get(reservedKey(id))) dropReserved(draft, id);
  draft.set(profileKey(id), { ...profile, left: { mono_ms, boot }, at: facts.now });
  draft.record({
    type: 'agent.leave',
    agent: id,
    ts_ms: wall_ms,
    reason: 'left',
    paths: event.paths,
    reservations: event.reservations,
  });
  return answer(draft, agent, facts, true);
}
