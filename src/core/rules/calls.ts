// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A tool call that may last longer than its agent may be silent is on record from its beginning (decision 100). */
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts, OpenCall, OpenCommand } from '../types.ts';
import { present, withoutCalls } from './agent.ts';
import type { Who } from './agent.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface CallBeginEvent {
  readonly type: 'call.begin';
  readonly who: Who;
  readonly call: OpenCall;
  /** It is the write itself that is open: a person is asked for it. */
  readonly keeps_op?: boolean;
}

/** A write of this agent that is still open was never carried out. Calls of one batch run side by side: others stay open. */
export function beginCall(
  view: View,
  { who, call, keeps_op = false }: CallBeginEvent,
  facts: Facts,
): Step<null> {
  const draft = draftOver(view);
  const agent = withoutCalls(present(draft, who, facts, view.next), [call.id]);
  const { commands } = agent;
  draft.setAgent({
    ...agent,
    ...(keeps_op && commands ? { commands: commands.map((one) => lasting(one, call)) } : {}),
    op: keeps_op ? agent.op : null,
    active_mono_ms: facts.now.mono_ms,
    active_wall_ms: facts.now.wall_ms,
    calls: [...(agent.calls ?? []).slice(1 - CALLS_MAX), call],
  });
  const { wall_ms: ts_ms } = facts.now;
  draft.record({ type: 'call', agent: agent.id, ts_ms, phase: 'begin', tool: call.tool, ops: [call.id] });
  return answer(draft, agent, facts, null);
}

/** What a person is asked about may begin only then. */
const lasting = (one: OpenCommand, { until_mono_ms }: OpenCall): OpenCommand => ({
  ...one,
  until_mono_ms: Math.max(one.until_mono_ms, until_mono_ms ?? 0),
});

/** More than a client runs side by side. */
const CALLS_MAX = 32;

/** Those of an agent's open calls that are over, or none; their end is a sign of life. */
export function endCalls(
  draft: Draft,
  agent: AgentState,
  ops: readonly string[],
  { now }: Facts,
): AgentState {
  const ended = withoutCalls(agent, ops);
  if (ended === agent) return agent;
  draft.setAgent({ ...ended, active_mono_ms: now.mono_ms, active_wall_ms: now.wall_ms });
  draft.record({ type: 'call', agent: agent.id, ts_ms: now.wall_ms, phase: 'end', ops });
  return ended;
}
