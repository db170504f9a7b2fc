/** One write and everything that is needed to decide about it. */
import type { WriteBeginEvent } from './write-event.ts';
import type { Transaction } from './transaction.ts';

export interface JudgedWrite extends Transaction {
  readonly event: WriteBeginEvent;
}
