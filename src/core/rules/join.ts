// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Joining and leaving: an agent's first state, and its parent. Loaded only when an agent joins or leaves. */
import { agentsOn, machineKey } from '../keys.ts';
import type { Lsn } from '../ledger.ts';
import { asMachine } from '../machines.ts';
import type { Changes } from '../states.ts';
import type { AgentId, AgentState, Facts } from '../types.ts';
import type { Who } from './who.ts';

export function newcomer(who: Who, facts: Facts, next: Lsn): AgentState {
  return {
    id: who.id,
    kind: who.kind,
    parent: who.parent,
    session: who.session,
    joined_lsn: next,
    joined_wall_ms: facts.now.wall_ms,
    context: who.inherited === true ? 'inherited' : 'own',
    turn: 1,
    epoch: 1,
    active_mono_ms: facts.now.mono_ms,
    active_wall_ms: facts.now.wall_ms,
    boot: facts.now.boot,
    proc: who.proc,
    live: true,
    op: null,
    background: [],
    denials: 0,
  };
}

export function joinAgent(
  changes: Changes,
  joining: AgentState,
  facts: Facts,
  how: 'joined' | 'returned',
): AgentState {
  const state = facts.machine_boot === undefined ? joining : livingHere(changes, joining, facts);
  changes.setAgent(state);
  if (state.parent !== null) adopt(changes, state.parent, state.id);
  changes.record({
    type: 'agent.join',
    agent: state.id,
    ts_ms: facts.now.wall_ms,
    kind: state.kind,
    how,
    context: state.context,
    pid: state.proc?.pid ?? null,
  });
  return state;
}

/** Records that it lives on this machine, which is up (presence.ts). */
function livingHere(changes: Changes, state: AgentState, { machine: id }: Facts): AgentState {
  const { epoch = 0 } = asMachine(changes.get(machineKey(id))) ?? {};
  changes.set(agentsOn(id) + state.id, {});
  return { ...state, machine: { id, epoch } };
}

const CHILDREN_MAX = 64;

function adopt(changes: Changes, parent: AgentId, child: AgentId): void {
  const agent = changes.agent(parent);
  const { children = [] } = agent ?? {};
  if (agent === undefined || children.includes(child)) return;
  changes.setAgent({ ...agent, children: [...children.slice(1 - CHILDREN_MAX), child] });
}

/** A subagent has ended: its last activity was a sign of life of its parent. */
export function disown(changes: Changes, { id, parent, active_mono_ms, active_wall_ms }: AgentState): void {
  const agent = parent === null ? undefined : changes.agent(parent);
  if (agent?.children?.includes(id) !== true) return;
  const { children, ...rest } = agent;
  const left = children.filter((other) => other !== id);
  // Both clocks' times of one moment, because another machine compares them.
  const active = active_mono_ms > agent.active_mono_ms ? { active_mono_ms, active_wall_ms } : {};
  changes.setAgent({ ...rest, ...active, ...(left.length === 0 ? {} : { children: left }) });
}
