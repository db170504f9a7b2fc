/** How a rule begins. */
import type { Lsn, View } from '../ledger.ts';
import { isTogether } from '../lease-scope.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './who.ts';
import { presentAmong } from './presence.ts';
import { settleScope } from './scope-change.ts';
import type { Transaction } from './transaction.ts';

/** With the agent that acts joined, or back, if it was not here. */
export function transactionOf(view: View, who: Who, facts: Facts): Transaction {
  const changes = changesOver(view);
  const { next } = view;
  const tx = { view, changes, agent: presentIn(changes, who, facts, next), facts, next };
  return facts.policy.lease_scope === 'together' || isTogether(changes) ? settleScope(tx) : tx;
}

/** On a machine of its own, or on one of those that share the engine. */
export const presentIn = (changes: Changes, who: Who, facts: Facts, next: Lsn): AgentState =>
  (facts.machine_boot === undefined ? present : presentAmong)(changes, who, facts, next);
