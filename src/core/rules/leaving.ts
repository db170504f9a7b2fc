/** The end of an agent's life, reported or discovered. */
import { agentsOn, reservedKey } from '../keys.ts';
import type { AgentState } from '../types.ts';
import { letGo } from './agent.ts';
import { dropChild } from './children.ts';
import { disown } from './join.ts';
import { dropReserved } from './reserved-index.ts';
import { type Acting, record } from './transaction.ts';

/** How it ended. `heard`: the reported end is itself a sign of life of that moment. */
export interface Leaving {
  readonly reason: string;
  readonly parent: AgentState['parent'];
  readonly heard?: Pick<AgentState, 'active_mono_ms' | 'active_wall_ms'>;
}

/** Ends everything the agent has; the agent counts as gone until its next event. */
export function endLife(tx: Acting, { reason, parent, heard }: Leaving): AgentState {
  const { changes } = tx;
  const agent = { ...letGo(changes, tx.agent), live: false, background: [], turn_over: undefined };
  changes.setAgent(agent);
  disown(changes, { ...agent, ...heard });
  if (changes.get(reservedKey(agent.id))) dropReserved(changes, agent.id);
  if (parent !== null) dropChild(changes, parent, agent.id);
  if (agent.machine !== undefined) changes.set(agentsOn(agent.machine.id) + agent.id, null);
  record(tx, 'agent.leave', { reason });
  return agent;
}
