/** The agents at work in other checkouts, as far as they began or locked something there. Found without a listing. */
import { isAlive } from './alive.ts';
import type { Changes } from './states.ts';
import type { AgentId, Facts } from './types.ts';
import { asWorktreeAgents, checkoutsIn, worktreeKey } from './worktrees.ts';

export interface AgentBeside {
  readonly agent: AgentId;
  /** A linked worktree. */
  readonly checkout: string;
}

/** If there are more checkouts, only those noted last are considered. */
const CHECKOUTS_MAX = 32;

/** @param here the asking agent's checkout; '' is the main one */
export const agentsBeside = (changes: Changes, here: string, facts: Facts): readonly AgentBeside[] =>
  checkoutsIn(changes)
    .filter((checkout) => checkout !== '' && checkout !== here)
    .slice(0, CHECKOUTS_MAX)
    .flatMap((checkout) => {
      const { agents = [] } = asWorktreeAgents(changes.get(worktreeKey(checkout))) ?? {};
      return agents.filter((id) => isThere(changes, id, facts)).map((agent) => ({ agent, checkout }));
    });

/** If no process is known, an agent counts as gone after a ttl of silence. */
function isThere(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  if (agent === undefined || !isAlive(changes, id, facts)) return false;
  return agent.proc !== null || facts.now.mono_ms - agent.active_mono_ms < facts.policy.ttl_ms;
}
