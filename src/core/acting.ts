// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What counts as activity of an agent beside its own events: open calls, and those that act for it (decision 100). */
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Facts } from './types.ts';
import { isUp } from './up.ts';

/** A call without an end of its own that nobody answers for: its subagent did not start, or is over. */
const STARTING_MS = 60_000;
/** A subagent that was silent for so long counts as gone: after an interrupt nothing says so. */
const SILENT_CHILD_MS = 900_000;

/** Its own signs of life, and those of the agents that act for it. */
export function activeUntil(changes: Changes, agent: AgentState, facts: Facts): number {
  const above = agent.parent === null ? undefined : changes.agent(agent.parent);
  const lasts_ms = isWaiting(agent) ? SILENT_CHILD_MS : 0;
  const others = actingFor(agent, above)
    .flatMap((id) => changes.agent(id) ?? [])
    .filter((other) => other.boot === agent.boot && isUp(changes, other, facts))
    .map((other) => ownActivity(other) + lasts_ms);
  return Math.max(ownActivity(agent), ...others);
}

const ownActivity = ({ active_mono_ms, calls = [] }: AgentState): number =>
  Math.max(active_mono_ms, ...calls.map((call) => call.until_mono_ms ?? call.since_mono_ms + STARTING_MS));

/** In a call that lasts as long as another agent lives. */
const isWaiting = ({ calls = [] }: AgentState): boolean =>
  calls.some(({ until_mono_ms }) => until_mono_ms === null);

/**
 * Whose signs of life count as this agent's: its subagents, and the drafted agent that it waits for. Clients name no parent
 * but the session: a subagent that waits for one of its own has it among the others of its session.
 */
export function actingFor(agent: AgentState, above: AgentState | undefined): readonly AgentId[] {
  const { calls = [], children = [] } = agent;
  const nested = isWaiting(agent) ? (above?.children ?? []).filter((id) => id !== agent.id) : [];
  return [...children, ...nested, ...calls.flatMap(({ awaits }) => awaits ?? [])];
}
