/** Up to when an agent counts as active: its events, its open calls, and those that act for it (decision 100). */
import type { Draft } from './states.ts';
import type { AgentId, AgentState, Facts, Hold, OpenCall } from './types.ts';

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

/** Up to when its holder counts as active if nothing more is heard of it: an open call reaches into the future. */
export function lastActive(draft: Draft, hold: Hold, facts: Facts): number {
  const agent = draft.agent(hold.agent);
  return Math.max(hold.since_mono_ms, agent?.boot === hold.boot ? activeUntil(draft, agent, facts) : 0);
}

/** Its own signs of life, and those of the agents that act for it. */
function activeUntil(draft: Draft, agent: AgentState, facts: Facts): number {
  const above = agent.parent === null ? undefined : draft.agent(agent.parent);
  const waits = openFor(agent);
  const others = actingFor(agent, above)
    .flatMap((id) => draft.agent(id) ?? [])
    .filter((other) => other.boot === agent.boot && isUp(other, facts))
    .map((other) => ownActivity(other) + (waits === null ? 0 : SILENT_CHILD_MS));
  return Math.max(ownActivity(agent), ...others);
}

/** A call without an end of its own that nobody answers for: its subagent did not start, or is over. */
const STARTING_MS = 60_000;
/** A subagent that was silent for so long counts as gone: after an interrupt nothing says so. */
const SILENT_CHILD_MS = 900_000;

const ownActivity = ({ active_mono_ms, calls = [] }: AgentState): number =>
  Math.max(active_mono_ms, ...calls.map((call) => call.until_mono_ms ?? call.since_mono_ms + STARTING_MS));

/** The newest of its calls that last as long as another agent lives; null: there is none. */
const openFor = ({ calls = [] }: AgentState): OpenCall | null =>
  calls.findLast(({ until_mono_ms }) => until_mono_ms === null) ?? null;

/**
 * Whose signs of life count as this agent's: its subagents, and the drafted agent that it waits for. Clients name no parent
 * but the session: a subagent that waits for one of its own has it among the others of its session.
 */
export function actingFor(agent: AgentState, above: AgentState | undefined): readonly AgentId[] {
  const { calls = [], children = [] } = agent;
  const nested = openFor(agent) === null ? [] : (above?.children ?? []).filter((id) => id !== agent.id);
  return [...children, ...nested, ...calls.flatMap(({ awaits }) => awaits ?? [])];
}
