// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Waiting for the end of another agent: of drafted ones by a call of guard's own, of subagents as the client tells. */
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Await, Facts, ProcessMark } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { detachChild } from './children.ts';
import { findDeadlocks } from './deadlock.ts';
import type { Deadlock } from './deadlock.ts';
import { endOf } from './victim-release.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import type { Acting } from './transaction.ts';
import { mustStop, markDelivered } from './verdicts.ts';

/** A waiter says again that it waits before half of this is over: one that was killed is soon none. */
const AWAIT_MS = 30_000;

/** `begin` again and again as long as the wait lasts. */
export interface AwaitEvent {
  readonly type: 'agent.await';
  readonly who: Who;
  readonly agent: AgentId;
  readonly phase: 'begin' | 'go_on' | 'end';
  readonly proc: ProcessMark | null;
}

/** The deadlock of which the caller must let go, and with which its wait is over; null: it may wait. */
export function noteAwait(view: View, event: AwaitEvent, facts: Facts): Step<Deadlock | null> {
  const { who, agent: awaited } = event;
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  if (event.phase === 'end')
    return answer(draft, agent, facts, end({ draft, agent, facts }, awaited, 'ended'));
  begin(draft, agent, event, facts);
  const steps = [endOf(awaited)];
  const deciding = { view, draft, agent, facts, next: view.next };
  const seen = findDeadlocks(deciding, event.phase === 'begin' ? steps : []);
  const own = seen.find((dead) => mustStop(dead, agent, steps));
  if (own === undefined) return answer(draft, agent, facts, null);
  end(deciding, awaited, 'deadlock');
  markDelivered(draft, agent, steps, seen);
  return answer(draft, agent, facts, own);
}

function begin(draft: Draft, agent: AgentState, event: AwaitEvent, { now }: Facts): void {
  const wait = draft.wait(agent.id);
  const others = (wait.awaits ?? []).filter((one) => one.agent !== event.agent);
  const old = wait.awaits?.find((one) => one.agent === event.agent && one.boot === now.boot);
  const mine: Await = {
    agent: event.agent,
    since_mono_ms: old?.since_mono_ms ?? now.mono_ms,
    until_mono_ms: now.mono_ms + AWAIT_MS,
    boot: now.boot,
    proc: event.proc,
  };
  draft.setWait(agent.id, { ...wait, awaits: [...others, mine] });
  draft.record({ type: 'wait', agent: agent.id, ts_ms: now.wall_ms, kind: 'wait', for: event.agent });
}

function end({ draft, agent, facts }: Acting, awaited: AgentId, cause: string): null {
  const { awaits = [], ...wait } = draft.wait(agent.id);
  const left = awaits.filter((one) => one.agent !== awaited);
  if (left.length === awaits.length) return null;
  draft.setWait(agent.id, left.length === 0 ? wait : { ...wait, awaits: left });
  draft.record({ type: 'unwait', agent: agent.id, ts_ms: facts.now.wall_ms, for: awaited, cause });
  return null;
}

/** The client runs a subagent in the background: whoever started it goes on. */
export interface DetachedEvent {
  readonly type: 'agent.detached';
  readonly who: Who;
  readonly agent: AgentId;
}

export function detached(view: View, event: DetachedEvent, facts: Facts): Step<null> {
  const { who } = event;
  const main = who.parent ?? who.id;
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  detachChild(draft, main, who.id, event.agent);
  // What is certain now of its other subagents may close a circle.
  findDeadlocks({ view, draft, agent, facts, next: view.next }, []);
  return answer(draft, agent, facts, null);
}
