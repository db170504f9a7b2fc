/** How a rule begins. */
import type { View } from '../ledger.ts';
import { isTogether } from '../lease-scope.ts';
import { changesOver } from '../states.ts';
import type { Facts } from '../types.ts';
import { present, type Who } from './agent.ts';
import { settleScope } from './scope-change.ts';
import type { Transaction } from './transaction.ts';

/** With the agent that acts joined, or back, if it was not here. */
export function transactionOf(view: View, who: Who, facts: Facts): Transaction {
  const changes = changesOver(view);
  const { next } = view;
  const tx = { view, changes, agent: present(changes, who, facts, next), facts, next };
  return facts.policy.lease_scope === 'together' || isTogether(changes) ? settleScope(tx) : tx;
}
