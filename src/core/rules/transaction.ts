/** What every step of a rule works on, once the acting agent is present. */
import type { Lsn, View } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';

export interface Transaction {
  /** As the ledger was when the rule began. */
  readonly view: View;
  /** The same with the rule's own changes on top. */
  readonly draft: Draft;
  /** Who acts, as it was when the rule began. */
  readonly agent: AgentState;
  readonly facts: Facts;
  /** Stands for the number of this commit. */
  readonly next: Lsn;
}

/** Of a step that neither loads nor grants. */
export type Acting = Pick<Transaction, 'draft' | 'agent' | 'facts'>;
/** Of one that grants. */
export type Granting = Acting & Pick<Transaction, 'next'>;
