// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The life of an agent: join, prompt, end of turn, background commands, leaving (design section 4). */
import { activeUntil } from '../acting.ts';
import { agentKey, reservedKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asAgentState, draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts } from '../types.ts';
import {
  atWork,
  dropLeases,
  letGo,
  NO_TURN,
  present,
  settleTurn,
  touchInterval,
  withoutCalls,
} from './agent.ts';
import type { Who } from './agent.ts';
import { addChild, dropChild } from './children.ts';
import { disown } from './join.ts';
import { dropReserved } from './reserved-index.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface PresentEvent {
  readonly type: 'agent.present';
  readonly who: Who;
  /** Its turn goes on, whatever it said before. */
  readonly at_work?: boolean;
  /** Its session begins anew: no turn is under way. */
  readonly begins?: boolean;
}

export interface TurnStartEvent {
  readonly type: 'turn.start';
  readonly who: Who;
  /** The client fires the same event for a message in mid-turn, and tells when a turn ends. */
  readonly may_continue?: boolean;
}

export interface TurnStarted {
  readonly agent: AgentState;
  /** False: a message in the turn that is under way. */
  readonly is_new: boolean;
}

export interface TurnEndEvent {
  readonly type: 'turn.end';
  readonly who: Who;
  /** Background commands the client reports as running; null: it does not say (older clients). */
  readonly running: readonly string[] | null;
  /** How long something may still send the agent back to work; absent or 0: nothing can any more. */
  readonly grace_ms?: number;
}

export interface BackgroundEvent {
  readonly type: 'background';
  readonly who: Who;
  readonly started: readonly string[];
  readonly finished: readonly string[];
  /** tool_use_id of the call that started it. */
  readonly op?: string;
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

function open(view: View, who: Who, facts: Facts): Opened {
  const draft = draftOver(view);
  return { draft, agent: present(draft, who, facts, view.next) };
}

/** Any sign of life. Answers the agent's state. */
export function bePresent(view: View, event: PresentEvent, facts: Facts): Step<AgentState> {
  const opened = open(view, event.who, facts);
  const { draft } = opened;
  const back = event.at_work === true ? workingAgain(draft, opened.agent, facts) : opened.agent;
  const agent = event.begins === true && back.in_turn !== undefined ? { ...back, in_turn: undefined } : back;
  if (agent !== back) draft.setAgent(agent);
  return answer(draft, agent, facts, agent);
}

function workingAgain(draft: Draft, agent: AgentState, facts: Facts): AgentState {
  if (agent.turn_over === undefined) return agent;
  const back = { ...atWork(draft, agent, facts), ...activeNow(facts) };
  draft.setAgent(back);
  return back;
}

const activeNow = ({ now }: Facts): Pick<AgentState, 'active_mono_ms' | 'active_wall_ms'> => ({
  active_mono_ms: now.mono_ms,
  active_wall_ms: now.wall_ms,
});

/** A user prompt: baselines of the turn before become `last_seen`; leases that its end left over go. */
export function startTurn(view: View, event: TurnStartEvent, facts: Facts): Step<TurnStarted> {
  const { parent } = event.who;
  const opened = open(view, event.who, facts);
  const { draft } = opened;
  const before = asAgentState(view.get(agentKey(event.who.id)));
  const { agent: now } = opened;
  const is_new = event.may_continue !== true || !isBegun(now) || !wasHeard(draft, before ?? now, facts);
  if (parent !== null) {
    noteSubagents(draft, parent);
    addChild(draft, parent, event.who.id, facts);
  }
  // A prompt is taken in between calls: one that is open still was interrupted, and nothing else says so.
  const begun = is_new ? nextTurn(draft, now, facts) : withoutCalls(now, null);
  const agent = { ...begun, ...activeNow(facts) };
  draft.setAgent(agent);
  const phase = is_new ? 'start' : 'continue';
  draft.record({ type: 'turn', agent: agent.id, ts_ms: facts.now.wall_ms, phase, turn: agent.turn });
  return answer(draft, agent, facts, { agent, is_new });
}

/** By a prompt, in this life of the agent, and not over. */
const isBegun = ({ in_turn, turn, turn_over }: AgentState): boolean =>
  in_turn === turn && turn_over === undefined;

/**
 * Within the idle time, or in a call that is still open: what a person types now belongs to the turn that is under way. The
 * last sign of life on record may be older than the last one.
 */
const wasHeard = (draft: Draft, before: AgentState, facts: Facts): boolean =>
  facts.now.mono_ms < activeUntil(draft, before, facts) + facts.policy.idle_ms + touchInterval(facts);

function nextTurn(draft: Draft, before: AgentState, facts: Facts): AgentState {
  const rested = released(draft, rest(draft, settleTurn(draft, before, facts), null), facts);
  const turn = rested.turn + 1;
  const in_turn = rested.kind === 'session' ? turn : undefined;
  return { ...rested, turn, in_turn, denials: 0, turn_over: undefined };
}

/** From now on it takes more than the session to know who runs a command (src/core/speakers.ts). */
function noteSubagents(draft: Draft, parent: AgentId): void {
  const agent = draft.agent(parent);
  if (agent !== undefined && agent.has_subagents !== true) draft.setAgent({ ...agent, has_subagents: true });
}

/** Survives JSON, which Infinity does not. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Stop, StopFailure, an interrupt. Its leases go when `grace_ms` have passed without an event of the same turn. */
export function endTurn(view: View, event: TurnEndEvent, facts: Facts): Step<AgentState> {
  const opened = open(view, event.who, facts);
  const { draft } = opened;
  const rested = rest(draft, settleTurn(draft, opened.agent, facts), event.running);
  const goes = isReleased(rested, facts);
  const { grace_ms = 0 } = event;
  const agent = grace_ms === 0 ? over(draft, rested, facts) : overAfter(grace_ms, rested, facts);
  draft.setAgent(agent);
  draft.record(
    {
      type: 'turn',
      agent: agent.id,
      ts_ms: facts.now.wall_ms,
      phase: 'end',
      turn: agent.turn,
      released: goes,
    },
    true,
  );
  return answer(draft, agent, facts, agent);
}

const over = (draft: Draft, agent: AgentState, facts: Facts): AgentState =>
  released(draft, { ...agent, ...NO_TURN }, facts);

function overAfter(grace_ms: number, agent: AgentState, facts: Facts): AgentState {
  const since_mono_ms = facts.now.mono_ms;
  const gone_mono_ms = isReleased(agent, facts) ? since_mono_ms + grace_ms : NEVER;
  return { ...agent, turn_over: { since_mono_ms, gone_mono_ms, turn: agent.turn } };
}

/**
 * No write is open at the end of a turn, and nothing is waited for. The client's list of background commands is the
 * truth where there is one: a command that was stopped ends without any event.
 */
function rest(draft: Draft, agent: AgentState, running: readonly string[] | null): AgentState {
  if (draft.wait(agent.id).edges.length > 0) draft.setWait(agent.id, { edges: [] });
  const background = agent.background.filter((task) => running === null || running.includes(task));
  return { ...withoutCalls(agent, null), background, op: null };
}

/** What a background command of this agent may still write to stays leased. A subagent's turn is its whole run. */
const isReleased = ({ background, kind }: AgentState, { policy }: Facts): boolean =>
  (policy.release_on === 'stop' || kind === 'subagent') && background.length === 0;

const released = (draft: Draft, agent: AgentState, facts: Facts): AgentState =>
  isReleased(agent, facts) ? dropLeases(draft, agent) : agent;

export function noteBackground(view: View, event: BackgroundEvent, facts: Facts): Step<null> {
  const opened = open(view, event.who, facts);
  const { draft } = opened;
  const agent = atWork(draft, opened.agent, facts);
  const known = new Set([...agent.background, ...event.started]);
  for (const task of event.finished) known.delete(task);
  const [task] = event.started;
  const commands = agent.commands?.map((one) => (one.id === event.op && task ? { ...one, task } : one));
  if (
    known.size !== agent.background.length ||
    event.started.some((task) => !agent.background.includes(task))
  ) {
    draft.setAgent({ ...agent, background: [...known], ...(commands ? { commands } : {}) });
  }
  return answer(draft, agent, facts, null);
}

/** SessionEnd, SubagentStop: everything goes, and the agent counts as gone until its next event. Told again, nothing is new. */
export function leaveTurn(view: View, event: LeaveEvent, facts: Facts): Step<AgentState> {
  const known = asAgentState(view.get(agentKey(event.who.id)));
  if (known?.live === false && known.boot === facts.now.boot) return { records: [], result: known };
  const { parent } = event.who;
  const opened = open(view, event.who, facts);
  const { draft } = opened;
  const agent = { ...letGo(draft, opened.agent), live: false, background: [], turn_over: undefined };
  draft.setAgent(agent);
  disown(draft, { ...agent, ...activeNow(facts) });
  if (draft.get(reservedKey(agent.id))) dropReserved(draft, agent.id);
  if (parent !== null) dropChild(draft, parent, agent.id);
  draft.record({ type: 'agent.leave', agent: agent.id, ts_ms: facts.now.wall_ms, reason: event.reason });
  return answer(draft, agent, facts, agent);
}
