// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Until when the machine of its holder may rely on a lease without asking the engine that machines share. */
import { isHoldLive, turnGoneAt } from './alive.ts';
import { machineKey } from './keys.ts';
import type { View } from './ledger.ts';
import { asMachine } from './machines.ts';
import { changesOver } from './states.ts';
import type { Facts, Hold, RepoPath } from './types.ts';

/** Clocks of machines differ by far less in the longest ttl. */
const MARGIN = 0.1;
const MARGIN_MS = 2_000;

/** `until_mono_ms` on the engine's clock: before the earliest at which anybody else may be granted it if nothing more is heard of its holder. */
export interface KeptUntil {
  readonly until_mono_ms: number;
  readonly margin_ms: number;
}

/**
 * Null: its holder is another machine's, or only the engine can tell.
 * @param view as the engine acknowledged it. What is not in it was not heard of, which shortens
 * @param facts at the engine's moment that the newest of it is of
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
  const margin_ms = Math.max(MARGIN_MS, MARGIN * Math.min(hold.ttl_ms, facts.policy.idle_ms));
  // Calls, tasks, subagents and an open write reach further, but end at any moment, in an event that need not say a word about this file.
  const heard_mono_ms = Math.max(hold.since_mono_ms, agent.active_mono_ms);
  const quiet_ms = Math.min(hold.ttl_ms, facts.policy.idle_ms);
  const ends = [heard_mono_ms + quiet_ms, turnGoneAt(agent), machine.until_mono_ms];
  return { until_mono_ms: Math.min(...ends) - margin_ms, margin_ms };
}
