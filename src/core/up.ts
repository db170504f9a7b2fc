/** Whether an agent is up, from its own state and its machine's. When in doubt, it is alive. */
import { isUpThere } from './machines.ts';
import type { Changes } from './states.ts';
import type { AgentState, Facts } from './types.ts';

type Looks = Pick<Facts, 'now' | 'isDead' | 'machine'>;

/** It has not left, its boot has not ended, and its process is not certainly gone. */
export function isUp(states: Pick<Changes, 'get'>, agent: AgentState, facts: Looks): boolean {
  if (!agent.live) return false;
  if (agent.machine !== undefined) return isUpThere(states, agent, facts);
  if (agent.boot !== facts.now.boot) return isElsewhere(agent, facts);
  return !(agent.proc !== null && facts.isDead(agent.proc));
}

/** Another boot of this machine has ended; another machine that shares the directory may be up, unknown to this one. */
export function isElsewhere({ machine, proc }: AgentState, facts: Pick<Facts, 'machine'>): boolean {
  return machine === undefined && proc !== null && proc.machine !== facts.machine;
}
