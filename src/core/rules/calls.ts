// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A tool call that may last longer than its agent may stay silent is recorded when it begins (decision 100). */
import type { View } from '../ledger.ts';
import type { AgentState, Facts, OpenCall, OpenCommand } from '../types.ts';
import { activeNow, withoutCalls } from './agent.ts';
import type { Who } from './who.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, record, type Step } from './transaction.ts';

export interface CallBeginEvent {
  readonly type: 'call.begin';
  readonly who: Who;
  readonly call: OpenCall;
  /** The write itself stays open, because a person is being asked about it. */
  readonly keeps_op?: boolean;
}

/** An open write of this agent was never carried out. Calls of one batch run in parallel, so others stay open. */
export function beginCall(
  view: View,
  { who, call, keeps_op = false }: CallBeginEvent,
  facts: Facts,
): Step<null> {
  const tx = transactionOf(view, who, facts);
  const { changes } = tx;
  const agent = withoutCalls(tx.agent, [call.id]);
  const { commands } = agent;
  changes.setAgent({
    ...agent,
    ...(keeps_op && commands ? { commands: commands.map((one) => lasting(one, call)) } : {}),
    op: keeps_op ? agent.op : null,
    ...activeNow(facts),
    calls: [...(agent.calls ?? []).slice(1 - CALLS_MAX), call],
  });
  record(tx, 'call', { phase: 'begin', tool: call.tool, ops: [call.id] });
  return answer(tx, null);
}

/** A call that a person is asked about may begin only after the answer. */
const lasting = (one: OpenCommand, { until_mono_ms }: OpenCall): OpenCommand => ({
  ...one,
  until_mono_ms: Math.max(one.until_mono_ms, until_mono_ms ?? 0),
});

/** More than a client runs in parallel. */
const CALLS_MAX = 32;

/** Ends those of the agent's open calls that are in `ops`; this is a sign of life. */
export function endCalls(tx: Acting, ops: readonly string[]): AgentState {
  const { changes, agent, facts } = tx;
  const ended = withoutCalls(agent, ops);
  if (ended === agent) return agent;
  changes.setAgent({ ...ended, ...activeNow(facts) });
  record(tx, 'call', { phase: 'end', ops });
  return ended;
}
