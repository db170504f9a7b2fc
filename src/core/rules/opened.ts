/** How every rule begins. */
import type { Lsn, View } from '../ledger.ts';
import { isTogether } from '../lease-scope.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './who.ts';
import { presentAmong } from './presence.ts';
import { settleScope } from './scope-change.ts';
import type { Transaction } from './transaction.ts';

/** The acting agent has joined, or is back, if it was not here. */
export function transactionOf(view: View, who: Who, facts: Facts): Transaction {
  const changes = changesOver(view);
  const { next } = view;
  const tx = { view, changes, agent: presentIn(changes, who, facts, next), facts, next };
  return facts.policy.lease_scope === 'together' || isTogether(changes) ? settleScope(tx) : tx;
}

/** On a machine with its own ledger, or on one of several that share the engine. */
export const presentIn = (changes: Changes, who: Who, facts: Facts, next: Lsn): AgentState =>
  (facts.machine_boot === undefined ? present : presentAmong)(changes, who, facts, next);
