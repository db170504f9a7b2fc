/** The life of an agent: join, prompt, end of turn, background commands, leaving (design section 4). */
import { agentKey, GLOBS, reservedKey, waitKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { missingFor } from '../need.ts';
import { asAgentState, draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts } from '../types.ts';
import { letGo, present, withoutCalls } from './agent.ts';
import type { Who } from './agent.ts';
import { addChild, dropChild, familyOf } from './children.ts';
import { disown } from './join.ts';
import { dropReserved } from './reserved-index.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface PresentEvent {
  readonly type: 'agent.present';
  readonly who: Who;
}

export interface TurnStartEvent {
  readonly type: 'turn.start';
  readonly who: Who;
}

export interface TurnEndEvent {
  readonly type: 'turn.end';
  readonly who: Who;
  /** Background commands the client reports as running; null: it does not say (older clients). */
  readonly running: readonly string[] | null;
}

export interface BackgroundEvent {
  readonly type: 'background';
  readonly who: Who;
  readonly started: readonly string[];
  readonly finished: readonly string[];
}

export interface LeaveEvent {
  readonly type: 'agent.leave';
  readonly who: Who;
  readonly reason: string;
}

interface Opened {
  readonly draft: Draft;
  readonly agent: AgentState;
}

function open(
  view: View,
  who: Who,
  facts: Facts,
  extra: readonly string[] = [],
): Opened | { need: string[] } {
  const missing = missingFor(view, [], [who.id], [waitKey(who.id), ...extra]);
  if (missing.length > 0) return { need: missing };
  const draft = draftOver(view);
  return { draft, agent: present(draft, who, facts, view.next) };
}

/** Any sign of life. Answers the agent's state. */
export function bePresent(view: View, event: PresentEvent, facts: Facts): Step<AgentState> {
  const opened = open(view, event.who, facts);
  if ('need' in opened) return opened;
  return answer(opened.draft, opened.agent, facts, opened.agent);
}

/** A user prompt: baselines of the turn before become `last_seen`; leases that its end left over go. */
export function startTurn(view: View, event: TurnStartEvent, facts: Facts): Step<AgentState> {
  const { parent } = event.who;
  const opened = open(view, event.who, facts, parent === null ? [] : [agentKey(parent)]);
  if ('need' in opened) return opened;
  const { draft } = opened;
  if (parent !== null) {
    const need = missingFor(view, [], familyOf(draft, parent));
    if (need.length > 0) return { need };
    noteSubagents(draft, parent);
    addChild(draft, parent, event.who.id, facts);
  }
  const settled = releaseAtEnd(draft, opened.agent, null, facts);
  const agent = {
    ...settled,
    turn: settled.turn + 1,
    denials: 0,
    active_mono_ms: facts.now.mono_ms,
    active_wall_ms: facts.now.wall_ms,
  };
  draft.setAgent(agent);
  draft.record({ type: 'turn', agent: agent.id, ts_ms: facts.now.wall_ms, phase: 'start', turn: agent.turn });
  return answer(draft, agent, facts, agent);
}

/** From now on it takes more than the session to know who runs a command (src/core/speakers.ts). */
function noteSubagents(draft: Draft, parent: AgentId): void {
  const agent = draft.agent(parent);
  if (agent !== undefined && agent.has_subagents !== true) draft.setAgent({ ...agent, has_subagents: true });
}

/** Stop, StopFailure. */
export function endTurn(view: View, event: TurnEndEvent, facts: Facts): Step<AgentState> {
  const opened = open(view, event.who, facts);
  if ('need' in opened) return opened;
  const { draft } = opened;
  const agent = releaseAtEnd(draft, opened.agent, event.running, facts);
  const released = agent.epoch !== opened.agent.epoch;
  draft.record(
    { type: 'turn', agent: agent.id, ts_ms: facts.now.wall_ms, phase: 'end', turn: agent.turn, released },
    true,
  );
  return answer(draft, agent, facts, agent);
}

/**
 * What a background command of this agent may still write to stays leased. The client's list is the truth where
 * there is one: a command that was stopped ends without any event.
 */
function releaseAtEnd(
  draft: Draft,
  agent: AgentState,
  running: readonly string[] | null,
  facts: Facts,
): AgentState {
  const background = agent.background.filter((task) => running === null || running.includes(task));
  const settled = { ...withoutCalls(agent, null), background };
  if (facts.policy.release_on === 'stop' && background.length === 0) return letGo(draft, settled);
  if (draft.wait(agent.id).edges.length > 0) draft.setWait(agent.id, { edges: [] });
  const ended = { ...settled, op: null };
  draft.setAgent(ended);
  return ended;
}

export function noteBackground(view: View, event: BackgroundEvent, facts: Facts): Step<null> {
  const opened = open(view, event.who, facts);
  if ('need' in opened) return opened;
  const { draft, agent } = opened;
  const known = new Set([...agent.background, ...event.started]);
  for (const task of event.finished) known.delete(task);
  if (
    known.size !== agent.background.length ||
    event.started.some((task) => !agent.background.includes(task))
  ) {
    draft.setAgent({ ...agent, background: [...known] });
  }
  return answer(draft, agent, facts, null);
}

/** SessionEnd, SubagentStop: everything goes, and the agent counts as gone until its next event. Told again, nothing is new. */
export function leave(view: View, event: LeaveEvent, facts: Facts): Step<AgentState> {
  const known = view.has(agentKey(event.who.id)) ? asAgentState(view.get(agentKey(event.who.id))) : undefined;
  if (known?.live === false && known.boot === facts.now.boot) return { records: [], result: known };
  const { parent } = event.who;
  const keys = [GLOBS, reservedKey(event.who.id), ...(parent === null ? [] : [agentKey(parent)])];
  const opened = open(view, event.who, facts, keys);
  if ('need' in opened) return opened;
  const { draft } = opened;
  const agent = { ...letGo(draft, opened.agent), live: false, background: [] };
  draft.setAgent(agent);
  disown(draft, { ...agent, active_mono_ms: facts.now.mono_ms });
  if (draft.get(reservedKey(agent.id))) dropReserved(draft, agent.id);
  if (parent !== null) dropChild(draft, parent, agent.id);
  draft.record({ type: 'agent.leave', agent: agent.id, ts_ms: facts.now.wall_ms, reason: event.reason });
  return answer(draft, agent, facts, agent);
}
