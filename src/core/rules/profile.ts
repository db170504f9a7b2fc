/** What agents say of themselves, and the list of them. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentKey, agentOfKey, waitKey } from '../keys.ts';
import type { Json, Key, View } from '../ledger.ts';
import { uniqueNames } from '../names.ts';
import { overlay } from '../overlay.ts';
import { isShadow } from '../shadow.ts';
import { draftOver } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentId, Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { missingKeys } from './mail.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export const PROFILES = 'profile:';
const profileKey = (agent: AgentId): Key => `${PROFILES}${agent}`;

/** State of `profile:<agent>`. */
export interface Profile {
  readonly name: string | null;
  readonly capabilities: readonly string[];
  readonly status: string;
}

const asProfile = (state: Json | undefined): Profile =>
  state ? (state as unknown as Profile) : { name: null, capabilities: [], status: '' };

export interface DescribeEvent extends Partial<Profile> {
  readonly type: 'agent.describe';
  readonly who: Who;
}

/** False: another agent has that name. */
export function describeAgent(view: View, event: DescribeEvent, facts: Facts): Step<boolean> {
  const { id } = event.who;
  const missing = missingKeys(view, [agentKey(id), waitKey(id), profileKey(id)]);
  if (missing.length > 0) return { need: missing };
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const name = event.name ?? null;
  if (name !== null) {
    const others = [...view.range(PROFILES)].filter(([key]) => key !== profileKey(id));
    if (others.some(([, state]) => asProfile(state).name === name)) return { records: [], result: false };
  }
  const old = asProfile(view.get(profileKey(id)));
  const { capabilities = old.capabilities, status = old.status } = event;
  draft.set(profileKey(id), { name: name ?? old.name, capabilities, status });
  draft.record({ type: 'agent.describe', agent: id, ts_ms: facts.now.wall_ms, name, capabilities, status });
  return answer(draft, agent, facts, true);
}

export interface ListedAgent {
  readonly agent_id: AgentId;
  readonly name: string;
  readonly capabilities: readonly string[];
  /** What it says of itself; else `active`, `idle` after a lease's time without a sign of life, `gone`. */
  readonly status: string;
  readonly last_seen: string;
  readonly is_alive: boolean;
}

/** Every agent that the ledger still knows, those here first; each once. */
export function listAgents(view: View, facts: Facts): ListedAgent[] {
  const agents = view.range(AGENTS);
  const profiles = new Map(view.range(PROFILES).map(([key, state]) => [agentOfKey(key), asProfile(state)]));
  const draft = draftOver(overlay(view, agents, [AGENTS]));
  const states = agents
    .flatMap(([key]) => draft.agent(agentOfKey(key)) ?? [])
    .filter(({ id }) => !isShadow(id));
  const inOrder = states.sort((a, b) => a.joined_lsn - b.joined_lsn);
  const names = uniqueNames(inOrder.map(({ id }) => ({ id, chosen: profiles.get(id)?.name ?? null })));
  const rows = inOrder.map((state): ListedAgent => {
    const profile = profiles.get(state.id) ?? asProfile(undefined);
    const is_alive = isAlive(draft, state.id, facts);
    const idle = facts.now.wall_ms - state.active_wall_ms > facts.policy.ttl_ms;
    return {
      agent_id: state.id,
      name: names.get(state.id) ?? state.id,
      capabilities: profile.capabilities,
      status: !is_alive ? 'gone' : profile.status !== '' ? profile.status : idle ? 'idle' : 'active',
      last_seen: rfc3339(state.active_wall_ms),
      is_alive,
    };
  });
  return [...rows.filter((row) => row.is_alive), ...rows.filter((row) => !row.is_alive)];
}
