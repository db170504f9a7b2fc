/** Which agents are alive, and since when. */
import { isAlive } from './alive.ts';
import { AGENTS, agentOfKey } from './keys.ts';
import type { Lsn, View } from './ledger.ts';
import { type Changes, changesOver } from './states.ts';
import type { AgentId, Facts } from './types.ts';

export const aliveIn = (view: View, changes: Changes, facts: Facts): AgentId[] =>
  view
    .range(AGENTS)
    .map(([key]) => agentOfKey(key))
    .filter((id) => isAlive(changes, id, facts));

/** Among this many most recently active agents there is usually another one that is alive. */
const NEWEST = 16;

/** No other agent is alive. */
export const isAlone = (view: View, me: AgentId, facts: Facts): boolean => {
  const changes = changesOver(view);
  const isOther = (id: AgentId): boolean => id !== me && isAlive(changes, id, facts);
  const newest = view.range(AGENTS, 0, NEWEST).map(([key]) => agentOfKey(key));
  if (newest.some(isOther)) return false;
  return newest.length < NEWEST || !aliveIn(view, changes, facts).some(isOther);
};

/** No path is held that was last touched before every living agent had joined. */
export const oldestOf = (changes: Changes, alive: readonly AgentId[]): Lsn =>
  Math.min(Infinity, ...alive.map((id) => changes.agent(id)?.joined_lsn ?? 0));
