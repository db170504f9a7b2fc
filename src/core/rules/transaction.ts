/** What every step of a rule works on, and how a rule begins and ends. */
import type { Json, Lsn, RecordBody, View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';

export interface Transaction {
  /** As the ledger was when the rule began. */
  readonly view: View;
  /** The same with the rule's own changes on top. */
  readonly changes: Changes;
  /** Who acts, as it was when the rule began. */
  readonly agent: AgentState;
  readonly facts: Facts;
  /** Stands for the number of this commit. */
  readonly next: Lsn;
}

/** Of a step that neither loads nor grants. */
export type Acting = Pick<Transaction, 'changes' | 'agent' | 'facts'>;
/** Of one that grants. */
export type Granting = Acting & Pick<Transaction, 'next'>;
/** Of one that acts for nobody. */
export type Seeing = Pick<Transaction, 'changes' | 'facts'>;
/** The same of one that loads. */
export type Looking = Pick<Transaction, 'view' | 'changes' | 'facts'>;

export interface Step<T> {
  readonly records: readonly RecordBody[];
  readonly result: T;
}

/** Of one that only says who did it. */
type Named = Seeing & { readonly agent: Pick<AgentState, 'id'> };
type Told = Readonly<Record<string, Json | undefined>>;

/** What was changed since the last record, in one of the agent's; without a change none, unless `always`. */
export function record(tx: Named, type: string, told: Told = {}, always = false): void {
  const { changes, agent, facts } = tx;
  changes.record({ type, agent: agent.id, ts_ms: facts.now.wall_ms, ...told }, always);
}

/** How every rule ends: the records it made, with a sign of life if nothing else was to be written. */
export function answer<T>(tx: Acting, result: T): Step<T> {
  record(tx, 'renew');
  return { records: tx.changes.records, result };
}
