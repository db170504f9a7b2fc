// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Waiting for another agent's end: for drafted agents in guard's own calls, for subagents as the client reports it. */
import type { View } from '../ledger.ts';
import type { AgentId, Await, Facts, ProcessMark } from '../types.ts';
import type { Who } from './who.ts';
import { detachChild } from './children.ts';
import { type Deadlock, findDeadlocks } from './deadlock.ts';
import { endOf } from './victim-release.ts';
import { mustStop, markDelivered } from './verdicts.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, record, type Step } from './transaction.ts';

/** A waiter repeats that it waits before half of this has passed, so a killed waiter soon stops counting. */
const AWAIT_MS = 30_000;

/** `begin` is repeated for as long as the wait lasts. */
export interface AwaitEvent {
  readonly type: 'agent.await';
  readonly who: Who;
  readonly agent: AgentId;
  readonly phase: 'begin' | 'go_on' | 'end';
  readonly proc: ProcessMark | null;
}

/** The deadlock in which the caller must give way, which ends its wait; `null` if it may wait. */
export function noteAwait(view: View, event: AwaitEvent, facts: Facts): Step<Deadlock | null> {
  const { who, agent: awaited } = event;
  const tx = transactionOf(view, who, facts);
  const { changes, agent } = tx;
  if (event.phase === 'end') return answer(tx, end(tx, awaited, 'ended'));
  begin(tx, event);
  const steps = [endOf(awaited)];
  const seen = findDeadlocks(tx, event.phase === 'begin' ? steps : []);
  const own = seen.find((dead) => mustStop(dead, agent, steps));
  if (own === undefined) return answer(tx, null);
  end(tx, awaited, 'deadlock');
  markDelivered(changes, agent, steps, seen);
  return answer(tx, own);
}

function begin(tx: Acting, event: AwaitEvent): void {
  const { changes, agent } = tx;
  const { now } = tx.facts;
  const wait = changes.wait(agent.id);
  const others = (wait.awaits ?? []).filter((one) => one.agent !== event.agent);
  const old = wait.awaits?.find((one) => one.agent === event.agent && one.boot === now.boot);
  const mine: Await = {
    agent: event.agent,
    since_mono_ms: old?.since_mono_ms ?? now.mono_ms,
    until_mono_ms: now.mono_ms + AWAIT_MS,
    boot: now.boot,
    proc: event.proc,
  };
  changes.setWait(agent.id, { ...wait, awaits: [...others, mine] });
  record(tx, 'wait', { kind: 'wait', for: event.agent });
}

function end(tx: Acting, awaited: AgentId, cause: string): null {
  const { changes, agent } = tx;
  const { awaits = [], ...wait } = changes.wait(agent.id);
  const left = awaits.filter((one) => one.agent !== awaited);
  if (left.length === awaits.length) return null;
  changes.setWait(agent.id, left.length === 0 ? wait : { ...wait, awaits: left });
  record(tx, 'unwait', { for: awaited, cause });
  return null;
}

/** The client runs a subagent in the background, so the agent that started it continues. */
export interface DetachedEvent {
  readonly type: 'agent.detached';
  readonly who: Who;
  readonly agent: AgentId;
}

export function detached(view: View, event: DetachedEvent, facts: Facts): Step<null> {
  const { who } = event;
  const main = who.parent ?? who.id;
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  detachChild(changes, main, who.id, event.agent);
  // What is now certain about its other subagents may close a cycle.
  findDeadlocks(tx, []);
  return answer(tx, null);
}
