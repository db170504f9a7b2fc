/** What every step of a rule works on, and how a rule ends. */
import type { Json, Lsn, RecordBody, View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';

export interface Transaction {
  /** The ledger when the rule began. */
  readonly view: View;
  /** The same with the rule's own changes on top. */
  readonly changes: Changes;
  /** The acting agent as it was when the rule began. */
  readonly agent: AgentState;
  readonly facts: Facts;
  /** Placeholder for the number of this commit. */
  readonly next: Lsn;
}

/** For a step that neither loads nor grants. */
export type Acting = Pick<Transaction, 'changes' | 'agent' | 'facts'>;
/** For a step that grants. */
export type Granting = Acting & Pick<Transaction, 'next'>;
/** For a step that acts for no agent. */
export type Seeing = Pick<Transaction, 'changes' | 'facts'>;
/** The same for a step that loads. */
export type Looking = Pick<Transaction, 'view' | 'changes' | 'facts'>;

export interface Step<T> {
  readonly records: readonly RecordBody[];
  readonly result: T;
}

/** For a step that only names the acting agent. */
type Named = Seeing & { readonly agent: Pick<AgentState, 'id'> };
type Told = Readonly<Record<string, Json | undefined>>;

/** Records the changes since the last record, as the agent's. Without changes, only if `always` is set. */
export function record(tx: Named, type: string, told: Told = {}, always = false): void {
  const { changes, agent, facts } = tx;
  changes.record({ type, agent: agent.id, ts_ms: facts.now.wall_ms, ...told }, always);
}

/** How every rule ends: returns its records, with a sign of life if nothing else had to be written. */
export function answer<T>(tx: Acting, result: T): Step<T> {
  record(tx, 'renew');
  return { records: tx.changes.records, result };
}
