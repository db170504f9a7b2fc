// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** How long a holder's machine may rely on a lease without asking the engine that the machines share. */
import { isHoldLive, turnGoneAt } from './alive.ts';
import { machineKey } from './keys.ts';
import type { View } from './ledger.ts';
import { asMachine } from './machines.ts';
import { type Changes, changesOver } from './states.ts';
import type { AgentState, Facts, Hold, RepoPath } from './types.ts';

/** Machines' clocks drift apart by far less than this within the longest ttl. */
const MARGIN = 0.1;
const MARGIN_MS = 2_000;

/** `until_mono_ms`, on the engine's clock, is before another agent can get the lease if its holder stays silent. */
export interface KeptUntil {
  readonly until_mono_ms: number;
  readonly margin_ms: number;
}

/**
 * `null` if the holder is on another machine, or only the engine can tell.
 * @param view the states as the engine acknowledged them; anything missing only shortens the result
 * @param facts the engine's moment of the newest of these states
 */
export function keptUntil(view: View, path: RepoPath, hold: Hold, facts: Facts): KeptUntil | null {
  const changes = changesOver(view);
  const agent = changes.agent(hold.agent);
  const machine = asMachine(view.get(machineKey(facts.machine)));
  if (machine === undefined || agent?.machine?.id !== facts.machine || agent.machine.epoch !== machine.epoch)
    return null;
  if ([hold, agent, machine].some(({ boot }) => boot !== facts.now.boot)) return null;
  if (hold.mode === 'shared' || hold.command !== undefined || !isHoldLive(changes, path, hold, facts))
    return null;
  // A lease without an idle time was granted by an older guard.
  const quiet_ms = quietOf(hold, facts.policy.idle_ms);
  const margin_ms = Math.max(MARGIN_MS, MARGIN * quiet_ms);
  // Calls, tasks, subagents and an open write extend it, but can end at any moment in an event that need not mention
  // this file.
  const ends = [heardOf(hold, agent) + quiet_ms, turnGoneAt(agent), machine.until_mono_ms];
  return { until_mono_ms: Math.min(...ends) - margin_ms, margin_ms };
}

/** No shorter idle time counts than the one in the lease. */
const quietOf = ({ ttl_ms, idle_ms }: Hold, otherwise_ms: number): number =>
  Math.min(ttl_ms, idle_ms ?? otherwise_ms);

const heardOf = ({ since_mono_ms }: Hold, { active_mono_ms }: AgentState): number =>
  Math.max(since_mono_ms, active_mono_ms);

/**
 * The latest moment, on the engine's clock, until which another machine may rely on a lease that it has not heard the
 * end of; `-Infinity` if none does. This machine hears of what it commits.
 */
export function reliedUntil(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): number {
  const agent = changes.agent(hold.agent);
  const isThere = agent?.machine !== undefined && agent.machine.id !== facts.machine;
  if (!isThere || !isHoldLive(changes, path, hold, facts)) return -Infinity;
  return heardOf(hold, agent) + quietOf(hold, hold.ttl_ms);
}
