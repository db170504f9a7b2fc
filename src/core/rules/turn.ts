// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The life of an agent: join, prompt, end of turn, background commands, leaving (design section 4). */
import { activeUntil } from '../acting.ts';
import { agentKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asAgentState, type Changes } from '../states.ts';
import type { AgentId, AgentState, Facts } from '../types.ts';
import { activeNow, atWork, dropLeases, NO_TURN, settleTurn, touchInterval, withoutCalls } from './agent.ts';
import type { Who } from './who.ts';
import { addChild } from './children.ts';
import { endWaits } from './edges.ts';
import { endLife } from './leaving.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step } from './transaction.ts';

export interface PresentEvent {
  readonly type: 'agent.present';
  readonly who: Who;
  /** Its turn continues, whatever it reported before. */
  readonly at_work?: boolean;
  /** Its session starts over: no turn is under way. */
  readonly begins?: boolean;
}

export interface TurnStartEvent {
  readonly type: 'turn.start';
  readonly who: Who;
  /** The client sends the same event for a message within a turn, and reports when a turn ends. */
  readonly may_continue?: boolean;
}

export interface TurnStarted {
  readonly agent: AgentState;
  /** False for a message within the current turn. */
  readonly is_new: boolean;
}

export interface TurnEndEvent {
  readonly type: 'turn.end';
  readonly who: Who;
  /** Background commands that the client reports as running; `null` if it does not report them (older clients). */
  readonly running: readonly string[] | null;
  /** How long the agent may still be sent back to work; absent or 0 if it cannot be. */
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

/** Any sign of life. Returns the agent's state. */
export function bePresent(view: View, event: PresentEvent, facts: Facts): Step<AgentState> {
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const back = event.at_work === true ? workingAgain(changes, tx.agent, facts) : tx.agent;
  const agent = event.begins === true && back.in_turn !== undefined ? { ...back, in_turn: undefined } : back;
  if (agent !== back) changes.setAgent(agent);
  return answer(tx, agent);
}

function workingAgain(changes: Changes, agent: AgentState, facts: Facts): AgentState {
  if (agent.turn_over === undefined) return agent;
  const back = { ...atWork(changes, agent, facts), ...activeNow(facts) };
  changes.setAgent(back);
  return back;
}

/** A user prompt: baselines of the previous turn become `last_seen`, and leases left over from its end are released. */
export function startTurn(view: View, event: TurnStartEvent, facts: Facts): Step<TurnStarted> {
  const { parent } = event.who;
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const before = asAgentState(view.get(agentKey(event.who.id)));
  const { agent: now } = tx;
  const is_new = event.may_continue !== true || !isBegun(now) || !wasHeard(changes, before ?? now, facts);
  if (parent !== null) {
    noteSubagents(changes, parent);
    addChild(changes, parent, event.who.id, facts);
  }
  // A prompt is read between calls, so a call that is still open was interrupted, which no other event reports.
  const begun = is_new ? nextTurn(changes, now, facts) : withoutCalls(now, null);
  const agent = { ...begun, ...activeNow(facts) };
  changes.setAgent(agent);
  const phase = is_new ? 'start' : 'continue';
  record(tx, 'turn', { phase, turn: agent.turn });
  return answer(tx, { agent, is_new });
}

/** Begun by a prompt in this life of the agent, and not ended. */
const isBegun = ({ in_turn, turn, turn_over }: AgentState): boolean =>
  in_turn === turn && turn_over === undefined;

/**
 * Within the idle time, or in a call that is still open, a person's input belongs to the current turn. The last
 * recorded sign of life may be older than the actual last one.
 */
const wasHeard = (changes: Changes, before: AgentState, facts: Facts): boolean =>
  facts.now.mono_ms < activeUntil(changes, before, facts) + facts.policy.idle_ms + touchInterval(facts);

function nextTurn(changes: Changes, before: AgentState, facts: Facts): AgentState {
  const rested = released(changes, rest(changes, settleTurn(changes, before, facts), null), facts);
  const turn = rested.turn + 1;
  const in_turn = rested.kind === 'session' ? turn : undefined;
  return { ...rested, turn, in_turn, denials: 0, turn_over: undefined };
}

/** From now on the session alone no longer identifies the agent that runs a command (src/core/speakers.ts). */
function noteSubagents(changes: Changes, parent: AgentId): void {
  const agent = changes.agent(parent);
  if (agent !== undefined && agent.has_subagents !== true)
    changes.setAgent({ ...agent, has_subagents: true });
}

/** Survives JSON, unlike Infinity. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Stop, StopFailure, an interrupt. The leases are released once `grace_ms` pass without an event of the same turn. */
export function endTurn(view: View, event: TurnEndEvent, facts: Facts): Step<AgentState> {
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const rested = rest(changes, settleTurn(changes, tx.agent, facts), event.running);
  const { grace_ms = 0 } = event;
  const agent = grace_ms === 0 ? over(changes, rested, facts) : overAfter(grace_ms, rested, facts);
  changes.setAgent(agent);
  record(tx, 'turn', { phase: 'end', turn: agent.turn, released: isReleased(rested, facts) }, true);
  return answer(tx, agent);
}

const over = (changes: Changes, agent: AgentState, facts: Facts): AgentState =>
  released(changes, { ...agent, ...NO_TURN }, facts);

function overAfter(grace_ms: number, agent: AgentState, facts: Facts): AgentState {
  const since_mono_ms = facts.now.mono_ms;
  const gone_mono_ms = isReleased(agent, facts) ? since_mono_ms + grace_ms : NEVER;
  return { ...agent, turn_over: { since_mono_ms, gone_mono_ms, turn: agent.turn } };
}

/**
 * At the end of a turn no write is open, and only background commands keep waiting. The client's list of these is
 * authoritative if there is one, because a stopped command ends without any event.
 */
function rest(changes: Changes, agent: AgentState, running: readonly string[] | null): AgentState {
  const background = agent.background.filter((task) => running === null || running.includes(task));
  endWaits(changes, agent.id, background.length > 0);
  return { ...withoutCalls(agent, null), background, op: null };
}

/** Files that a background command may still write stay leased. A subagent's turn is its whole run. */
const isReleased = ({ background, kind }: AgentState, { policy }: Facts): boolean =>
  (policy.release_on === 'stop' || kind === 'subagent') && background.length === 0;

const released = (changes: Changes, agent: AgentState, facts: Facts): AgentState =>
  isReleased(agent, facts) ? dropLeases(changes, agent) : agent;

export function noteBackground(view: View, event: BackgroundEvent, facts: Facts): Step<null> {
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  const agent = atWork(changes, tx.agent, facts);
  const known = new Set([...agent.background, ...event.started]);
  for (const task of event.finished) known.delete(task);
  const [task] = event.started;
  const commands = agent.commands?.map((one) => (one.id === event.op && task ? { ...one, task } : one));
  if (
    known.size !== agent.background.length ||
    event.started.some((task) => !agent.background.includes(task))
  ) {
    changes.setAgent({ ...agent, background: [...known], ...(commands ? { commands } : {}) });
  }
  return answer(tx, null);
}

/** SessionEnd, SubagentStop: everything ends; the agent counts as gone until its next event. Idempotent. */
export function leaveTurn(view: View, event: LeaveEvent, facts: Facts): Step<AgentState> {
  const known = asAgentState(view.get(agentKey(event.who.id)));
  if (known?.live === false && known.boot === facts.now.boot) return { records: [], result: known };
  const tx = transactionOf(view, event.who, facts);
  return answer(tx, endLife(tx, { reason: event.reason, parent: event.who.parent, heard: activeNow(facts) }));
}
