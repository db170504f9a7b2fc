/** Agents' descriptions of themselves, and the list of agents. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentOfKey } from '../keys.ts';
import type { Key, View } from '../ledger.ts';
import { uniqueNames } from '../names.ts';
import { overlay } from '../overlay.ts';
import { asProfile, hasLeft, type Profile, profileKey, PROFILES, profilesIn } from '../profiles.ts';
import { isShadow } from '../shadow.ts';
import { type Changes, changesOver } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, AgentState, Facts } from '../types.ts';
import type { Who } from './who.ts';
import { statusOf } from '../report.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';

const SILENT_MS = 24 * 3_600_000;

export interface DescribeEvent extends Partial<Omit<Profile, 'left' | 'at'>> {
  readonly type: 'agent.describe';
  readonly who: Who;
}

/** False if another agent has that name or id. An agent that had left is here again. */
export function describeAgent(view: View, event: DescribeEvent, facts: Facts): Step<boolean> {
  const { id } = event.who;
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const old = asProfile(view.get(profileKey(id)));
  const { name = old.name, capabilities = old.capabilities, status = old.status } = event;
  if (name !== null && name !== old.name) {
    const same = namesakes(view, id, name);
    const isTaken =
      same.some(([key]) => isKnownAlive(changes, agentOfKey(key), facts)) || isOthers(view, id, name, facts);
    if (isTaken) return { records: [], result: false };
    for (const [key, profile] of same) changes.set(key, { ...profile, name: null });
  }
  const said = { name, capabilities, status };
  if (!isKnown(old, said, facts)) {
    changes.set(profileKey(id), { ...said, at: facts.now });
    record(tx, 'agent.describe', { ...said });
  }
  return answer(tx, true);
}

const DAY_MS = 24 * 3_600_000;

/** Said before, not long ago, and the agent has not left since. */
function isKnown(old: Profile, said: Omit<Profile, 'at'>, { now }: Facts): boolean {
  const { at, ...rest } = old;
  const is_recent = at !== undefined && at.boot === now.boot && now.mono_ms - at.mono_ms < DAY_MS;
  const is_empty = said.name === null && said.capabilities.length === 0 && said.status === '';
  return JSON.stringify(rest) === JSON.stringify(said) && (is_recent || is_empty);
}

const isKnownAlive = (changes: Changes, id: AgentId, facts: Facts): boolean =>
  changes.agent(id) !== undefined && isAlive(changes, id, facts);

/** Another agent's default name, or any agent's id: taking it would intercept what is meant for that agent. */
const isOthers = (view: View, id: AgentId, name: string, facts: Facts): boolean =>
  listAgents(view, facts).some(
    (one) => one.agent_id !== id && (one.agent_id === name || (one.is_alive && one.name === name)),
  );

/** Other agents that chose this name. One that is gone gives it up. */
const namesakes = (view: View, id: AgentId, name: string): (readonly [Key, Profile])[] =>
  view
    .range(PROFILES)
    .map(([key, state]) => [key, asProfile(state)] as const)
    .filter(([key, profile]) => key !== profileKey(id) && profile.name === name);

export interface ListedAgent {
  readonly agent_id: AgentId;
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Its own description; otherwise `active`, or `idle` after a ttl without a sign of life. Always `gone` once gone. */
  readonly status: string;
  readonly last_seen: string;
  readonly is_alive: boolean;
}

/** Every agent that the ledger still knows, present ones first; each once. */
export function listAgents(view: View, facts: Facts): ListedAgent[] {
  const agents = view.range(AGENTS);
  const profiles = profilesIn(view);
  const changes = changesOver(overlay(view, agents, [AGENTS]));
  const states = agents
    .flatMap(([key]) => changes.agent(agentOfKey(key)) ?? [])
    .filter(({ id }) => !isShadow(id));
  const inOrder = states.sort((a, b) => a.joined_lsn - b.joined_lsn);
  const names = uniqueNames(inOrder.map(({ id }) => ({ id, chosen: profiles.get(id)?.name ?? null })));
  // Lists every lock and reservation, so it is read only if an agent might be away.
  let holders: ReadonlySet<AgentId> | undefined;
  const holds = (id: AgentId): boolean => (holders ??= holdersIn(view, facts)).has(id);
  const rows = inOrder.map((state): ListedAgent => {
    const profile = profiles.get(state.id) ?? asProfile(undefined);
    const isAway = hasLeft(profile, state) || isSilent(state, facts);
    const is_alive = isAlive(changes, state.id, facts) && (!isAway || holds(state.id));
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

function holdersIn(view: View, facts: Facts): ReadonlySet<AgentId> {
  const { leases, reservations } = statusOf(view, facts);
  return new Set([...leases.map(({ holder }) => holder), ...reservations.map(({ agent_id }) => agent_id)]);
}

/** If no process can show that an agent is gone (as over HTTP), a day without a sign of life counts as the end. */
const isSilent = ({ proc, active_wall_ms }: AgentState, { now }: Facts): boolean =>
  proc === null && now.wall_ms - active_wall_ms > SILENT_MS;
