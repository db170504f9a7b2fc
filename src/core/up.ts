/** What of an agent's life stands in its own state. Everything here is unsure-means-alive. */
import type { AgentState, Facts } from './types.ts';

/** It did not leave, its boot is not over, and its process is not certainly gone. */
export function isUp(agent: AgentState, facts: Facts): boolean {
  if (!agent.live) return false;
  if (agent.boot !== facts.now.boot) return isElsewhere(agent, facts);
  return !(agent.proc !== null && facts.isDead(agent.proc));
}

/** Another boot of this machine is over; another machine that shares the directory may be up. */
export function isElsewhere(agent: AgentState, facts: Facts): boolean {
  return agent.proc !== null && agent.proc.machine !== facts.machine;
}
