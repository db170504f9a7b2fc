/** What agents say of themselves, as the ledger keeps it: `profile:<agent>`. */
import { agentOfKey } from './keys.ts';
import type { Json, Key, Lsn, View } from './ledger.ts';
import type { Changes } from './states.ts';
import type { AgentId, AgentState, Now } from './types.ts';

export const PROFILES = 'profile:';
export const profileKey = (agent: AgentId): Key => `${PROFILES}${agent}`;

export interface Profile {
  /** Null: it has the name that its id makes (names.ts). */
  readonly name: string | null;
  readonly capabilities: readonly string[];
  readonly status: string;
  /** When it left of its own accord, on the monotonic clock of that boot. */
  readonly left?: { readonly mono_ms: number; readonly boot: string };
  /** When it last said anything of this, or left; told again within a day it may be the time before. */
  readonly at?: Now;
}

export const asProfile = (state: Json | undefined): Profile =>
  state ? (state as unknown as Profile) : { name: null, capabilities: [], status: '' };

export const profilesIn = (view: View): ReadonlyMap<AgentId, Profile> =>
  new Map(view.range(PROFILES).map(([key, state]) => [agentOfKey(key), asProfile(state)]));

/**
 * True until a sign of life after it left is on record. It is not `live: false`: the agent's process goes on, and so do
 * a write that was approved and the subagents that depend on it.
 */
export const hasLeft = ({ left }: Profile, agent: Pick<AgentState, 'active_mono_ms' | 'boot'>): boolean =>
  left !== undefined && left.boot === agent.boot && agent.active_mono_ms <= left.mono_ms;

/** Everybody of whom that is true. `changes` has every agent; `since`: no earlier than the oldest of interest joined. */
export const leftOf = (view: View, changes: Changes, since?: Lsn): AgentId[] =>
  view
    .range(PROFILES, since)
    .filter(([key, state]) => {
      const agent = changes.agent(agentOfKey(key));
      return agent !== undefined && hasLeft(asProfile(state), agent);
    })
    .map(([key]) => agentOfKey(key));
