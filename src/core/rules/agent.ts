/** Joining, signs of life, turns, leaving. */
import { isTurnGone } from '../alive.ts';
import { sameProcess } from '../same-process.ts';
import type { Changes } from '../states.ts';
import type { Lsn } from '../ledger.ts';
import type { AgentState, Facts, OpenCommand } from '../types.ts';
import { joinAgent, newcomer } from './join.ts';
import type { Who } from './who.ts';

/** The agent's state, joined or revived if necessary. Appends agent.join if that changes anything. */
export function present(changes: Changes, who: Who, facts: Facts, next: Lsn): AgentState {
  const old = changes.agent(who.id);
  if (old !== undefined && isSameLife(old, who, facts)) return touch(changes, old, who, facts);
  if (old === undefined) return joinAgent(changes, newcomer(who, facts, next), facts, 'joined');
  // Everything that the former process held or was doing ended with it.
  return joinAgent(
    changes,
    {
      ...withoutCalls(old, null),
      ...alive(who, old, facts),
      epoch: old.epoch + 1,
      op: null,
      background: [],
      ...NO_TURN,
    },
    facts,
    'returned',
  );
}

export const NO_TURN = { turn_over: undefined, in_turn: undefined };

function isSameLife(old: AgentState, who: Who, facts: Facts): boolean {
  if (!old.live || old.boot !== facts.now.boot) return false;
  return old.proc === null || who.proc === null || sameProcess(old.proc, who.proc);
}

function alive(who: Who, old: AgentState, facts: Facts): Partial<AgentState> {
  return {
    live: true,
    proc: who.proc ?? (old.boot === facts.now.boot ? old.proc : null),
    boot: facts.now.boot,
    ...activeNow(facts),
  };
}

/** A sign of life, on both clocks. */
export const activeNow = ({ now }: Facts): Pick<AgentState, 'active_mono_ms' | 'active_wall_ms'> => ({
  active_mono_ms: now.mono_ms,
  active_wall_ms: now.wall_ms,
});

/**
 * Without these open calls; with `ops` null, without any calls, and without command lines except background ones. The
 * same object if none of them was open.
 */
export function withoutCalls(of: AgentState, ops: readonly string[] | null): AgentState {
  const state = ops === null && of.commands ? inBackground(of, of.commands) : of;
  const { calls = [], ...rest } = state;
  const left = ops === null ? [] : calls.filter(({ id }) => !ops.includes(id));
  if (left.length === calls.length) return state;
  return left.length === 0 ? rest : { ...rest, calls: left };
}

function inBackground(state: AgentState, open: readonly OpenCommand[]): AgentState {
  const left = open.filter(({ task }) => task !== undefined);
  if (left.length === open.length) return state;
  const { commands, ...rest } = state;
  return left.length === 0 || commands === undefined ? rest : { ...rest, commands: left };
}

/** Leases live by their holder's activity, and recording it more often than this gains nothing. */
export function touchInterval(facts: Facts): number {
  return Math.min(facts.policy.ttl_ms, facts.policy.idle_ms) / 10;
}

function touch(changes: Changes, old: AgentState, who: Who, facts: Facts): AgentState {
  const learnt = old.proc === null && who.proc !== null;
  if (!learnt && facts.now.mono_ms - old.active_mono_ms < touchInterval(facts)) return old;
  const state = { ...old, ...alive(who, old, facts) };
  changes.setAgent(state);
  return state;
}

/** True if an event of this agent need not be recorded: the agent is known, alive and was active just now. */
export function isFresh(state: AgentState | undefined, who: Who, facts: Facts): boolean {
  return (
    state !== undefined &&
    isSameLife(state, who, facts) &&
    (state.proc !== null || who.proc === null) &&
    facts.now.mono_ms - state.active_mono_ms < touchInterval(facts)
  );
}

/** Ends every lease and wait of the agent by writing two keys, however much it holds. A write in flight continues. */
export function dropLeases(changes: Changes, state: AgentState): AgentState {
  const { shortest_ttl_ms, ...kept } = state;
  const freed = { ...(shortest_ttl_ms === undefined ? state : kept), epoch: state.epoch + 1 };
  changes.setAgent(freed);
  if (changes.wait(state.id).edges.length > 0) changes.setWait(state.id, { edges: [] });
  return freed;
}

/** The turn continues, whatever was reported before. Leases lost meanwhile do not come back. Needs its `wait:` key. */
export function atWork(changes: Changes, state: AgentState, facts: Facts): AgentState {
  if (state.turn_over === undefined) return state;
  const back = { ...state, turn_over: undefined };
  if (isTurnGone(state, facts)) return dropLeases(changes, back);
  changes.setAgent(back);
  return back;
}

/**
 * Records the end of a turn whose leases have ended. The next transaction in the agent's name does this before anything
 * is granted: a new lease must not be in the same epoch as the old ones. Needs its `wait:` key.
 */
export function settleTurn(changes: Changes, state: AgentState, facts: Facts): AgentState {
  return isTurnGone(state, facts) ? dropLeases(changes, { ...state, ...NO_TURN }) : state;
}

/** The end of a turn or of a life: ends leases, waits, and a write whose end was never reported. */
export function letGo(changes: Changes, state: AgentState): AgentState {
  return dropLeases(changes, { ...withoutCalls(state, null), op: null });
}

/** Ends only the op: the intents in its path states are cleared when those are written. */
export function endOp(changes: Changes, state: AgentState): AgentState {
  if (state.op === null) return state;
  const ended = { ...state, op: null };
  changes.setAgent(ended);
  return ended;
}
