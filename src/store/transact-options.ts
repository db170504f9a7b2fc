/** How a step is committed. */
import type { RecordBody } from '../core/ledger.ts';

/** What a commit that may be repeated answered the first time. */
export interface FirstAnswer {
  /** Records to commit if the step has none, so that the engine says whether the first commit was made. */
  readonly sign: readonly RecordBody[];
  /** Called before each attempt to commit; the result has its placeholders. */
  keep(result: unknown, records: readonly RecordBody[]): void;
  /** Called if the commit had been made before. @param now what the step answers today */
  answer(now: unknown): unknown;
}

export interface TransactOptions {
  /** Makes a repetition harmless, for a request whose answer was lost. */
  readonly id?: string;
  readonly first?: FirstAnswer | undefined;
  /** How long to wait for others. Default: the store's own limit. */
  readonly wait_ms?: number;
}
