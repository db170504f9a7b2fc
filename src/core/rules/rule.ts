/** How every rule ends: the records it drafted, with a sign of life if nothing else was to be written. */
import type { RecordBody } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';

export interface Step<T> {
  readonly records: readonly RecordBody[];
  readonly result: T;
}

export function answer<T>(draft: Draft, agent: AgentState, facts: Facts, result: T): Step<T> {
  draft.record({ type: 'renew', agent: agent.id, ts_ms: facts.now.wall_ms });
  return { records: draft.records, result };
}
