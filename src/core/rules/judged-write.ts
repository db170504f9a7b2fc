/** One write and all there is to judge it by. */
import type { WriteBeginEvent } from './write-event.ts';
import type { Transaction } from './transaction.ts';

export interface JudgedWrite extends Transaction {
  readonly event: WriteBeginEvent;
}
