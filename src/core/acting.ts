// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What counts as an agent's activity besides its own events: open calls, and agents that act for it (decision 100). */
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Facts } from './types.ts';
import { isUp } from './up.ts';

/** How long a call without an end time keeps its agent active when its subagent did not start or has already ended. */
const STARTING_MS = 60_000;
/** A subagent that has been silent this long counts as gone, because no event reports an interrupt. */
const SILENT_CHILD_MS = 900_000;

/** The latest sign of life of the agent itself or of an agent that acts for it. */
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

/** It has an open call that lasts as long as another agent lives. */
const isWaiting = ({ calls = [] }: AgentState): boolean =>
  calls.some(({ until_mono_ms }) => until_mono_ms === null);

/**
 * The agents whose signs of life count as this agent's own: its subagents, and the drafted agent that it waits for.
 * Clients name no parent except the session, so a subagent that started another one finds it among the session's
 * subagents.
 */
export function actingFor(agent: AgentState, above: AgentState | undefined): readonly AgentId[] {
  const { calls = [], children = [] } = agent;
  const nested = isWaiting(agent) ? (above?.children ?? []).filter((id) => id !== agent.id) : [];
  return [...children, ...nested, ...calls.flatMap(({ awaits }) => awaits ?? [])];
}
