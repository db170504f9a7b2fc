/** Agents' descriptions of themselves, as the ledger keeps them: `profile:<agent>`. */
import { agentOfKey } from './keys.ts';
import type { Json, Key, Lsn, View } from './ledger.ts';
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Now } from './types.ts';

export const PROFILES = 'profile:';
export const profileKey = (agent: AgentId): Key => `${PROFILES}${agent}`;

export interface Profile {
  /** `null`: it has the name derived from its id (names.ts). */
  readonly name: string | null;
  readonly capabilities: readonly string[];
  readonly status: string;
  /** When it left voluntarily, on the monotonic clock of that boot. */
  readonly left?: { readonly mono_ms: number; readonly boot: string };
  /** When it last described itself or left; if it repeats itself within a day, the earlier time may be kept. */
  readonly at?: Now;
}

export const asProfile = (state: Json | undefined): Profile =>
  state ? (state as unknown as Profile) : { name: null, capabilities: [], status: '' };

export const profilesIn = (view: View): ReadonlyMap<AgentId, Profile> =>
  new Map(view.range(PROFILES).map(([key, state]) => [agentOfKey(key), asProfile(state)]));

/**
 * True from the time it left until a later sign of life is recorded. This is not `live: false`: the agent's process
 * continues, and so do an approved write and the subagents that depend on it.
 */
export const hasLeft = ({ left }: Profile, agent: Pick<AgentState, 'active_mono_ms' | 'boot'>): boolean =>
  left !== undefined && left.boot === agent.boot && agent.active_mono_ms <= left.mono_ms;

/** All agents that have left. `changes` must have every agent; `since`: when the oldest agent of interest joined. */
export const leftOf = (view: View, changes: Changes, since?: Lsn): AgentId[] =>
  view
    .range(PROFILES, since)
    .filter(([key, state]) => {
      const agent = changes.agent(agentOfKey(key));
      return agent !== undefined && hasLeft(asProfile(state), agent);
    })
    .map(([key]) => agentOfKey(key));
