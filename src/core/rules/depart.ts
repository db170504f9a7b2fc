/**
 * An agent leaves voluntarily: everything is released, and the agent is not listed until its next sign of life. The end
 * of a session is `leave` (turn.ts).
 */
import { reservedKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asProfile, hasLeft, profileKey } from '../profiles.ts';
import { changesOver } from '../states.ts';
import type { Facts, RepoPath } from '../types.ts';
import { activeNow, dropLeases } from './agent.ts';
import type { Who } from './who.ts';
import { dropReserved } from './reserved-index.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';

export interface DepartEvent {
  readonly type: 'agent.depart';
  readonly who: Who;
  /** What the caller saw this agent hold, for readers of the record; everything it holds ends. */
  readonly paths: readonly RepoPath[];
  readonly reservations: readonly string[];
}

/** False if it was not here; then nothing is written. */
export function depart(view: View, event: DepartEvent, facts: Facts): Step<boolean> {
  const { id } = event.who;
  const before = changesOver(view).agent(id);
  const profile = asProfile(view.get(profileKey(id)));
  const holds = event.paths.length + event.reservations.length > 0;
  if (before === undefined || (!holds && (!before.live || hasLeft(profile, before))))
    return { records: [], result: false };
  const { mono_ms, boot } = facts.now;
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  dropLeases(changes, { ...tx.agent, ...activeNow(facts), background: [] });
  if (changes.get(reservedKey(id))) dropReserved(changes, id);
  changes.set(profileKey(id), { ...profile, left: { mono_ms, boot }, at: facts.now });
  record(tx, 'agent.leave', { reason: 'left', paths: event.paths, reservations: event.reservations });
  return answer(tx, true);
}
