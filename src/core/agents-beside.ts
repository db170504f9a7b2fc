/** The agents at work in other checkouts. */
import { isAlive } from './alive.ts';
import { AGENTS, agentOfKey } from './keys.ts';
import type { View } from './ledger.ts';
import { type Changes, changesOver } from './states.ts';
import type { AgentId, Facts } from './types.ts';
import { asWorktreeAgents, checkoutsIn, worktreeKey } from './worktrees.ts';

export interface AgentBeside {
  readonly agent: AgentId;
  /** '' is the main checkout. */
  readonly checkout: string;
}

/** If there are more checkouts, only those noted last are reported. */
const CHECKOUTS_MAX = 32;

/** @param here the asking agent's checkout; '' is the main one */
export function agentsBeside(view: View, here: string, facts: Facts): readonly AgentBeside[] {
  const changes = changesOver(view);
  const linked = checkoutsIn(changes)
    .filter((checkout) => checkout !== '')
    .map((checkout) => ({ checkout, agents: cameTo(changes, checkout) }));
  const others = linked.filter(({ checkout }) => checkout !== here).slice(0, CHECKOUTS_MAX);
  const elsewhere = new Set(linked.flatMap(({ agents }) => agents));
  const main = hasMain(here) ? [{ checkout: '', agents: newestAgents(view, changes, elsewhere) }] : [];
  return [...others, ...main].flatMap(({ checkout, agents }) =>
    agents.filter((id) => isThere(changes, id, facts)).map((agent) => ({ agent, checkout })),
  );
}

/** Those that began there or locked something there. */
const cameTo = (changes: Changes, checkout: string): readonly AgentId[] =>
  asWorktreeAgents(changes.get(worktreeKey(checkout)))?.agents ?? [];

/** Where machines share the ledger, main checkouts have names and are noted like worktrees. */
const hasMain = (here: string): boolean => here !== '' && !here.startsWith('~@');

const NEWEST = 32;

/** No one notes who is in the main checkout, so these are the sessions that were not noted anywhere else. */
const newestAgents = (view: View, changes: Changes, elsewhere: ReadonlySet<AgentId>): readonly AgentId[] =>
  view
    .range(AGENTS, 0, NEWEST)
    .map(([key]) => agentOfKey(key))
    .filter((id) => !elsewhere.has(id) && changes.agent(id)?.kind === 'session');

/** If no process is known, an agent counts as gone after a ttl of silence. */
function isThere(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  if (agent === undefined || !isAlive(changes, id, facts)) return false;
  return agent.proc !== null || facts.now.mono_ms - agent.active_mono_ms < facts.policy.ttl_ms;
}
