/**
 * The store: what every engine promises, and how it is called.
 *
 * Calling sequence: `open` an engine, `transact` or `read` any number of times, `close`.
 * A transaction names the keys it starts from; its pure `step` looks at them and answers either
 * "I also need these keys" (it is then run again, in the same transaction) or the records to append
 * and a result. All records of a step are in the ledger, or none is; when `transact` has resolved they
 * survive any crash of any process (with `durability: "fsync"` of the machine too).
 * A process that dies inside a transaction leaves the ledger as if it had never begun.
 *
 * Laws (test/store/contract runs them on every engine with racing processes): serialisable; a larger
 * lsn for every later commit; acknowledged means present; all or none; idempotent by record id;
 * unknown record types and fields kept; a reader never sees half a record; watch wakes.
 */
import type { Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';

export type { Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';

/** What a step answers. `need` restarts it with more keys in view; engines bound the number of reruns. */
export type Step<T> = { need: readonly Key[] } | { records: readonly RecordBody[]; result: T };

interface StoreSupports {
  /** `watch` exists and wakes within milliseconds of a commit. */
  readonly watch: boolean;
  /** Machines may share it. */
  readonly shared: boolean;
  /** Acknowledged records survive power loss. */
  readonly durable: boolean;
}

export interface Store {
  readonly supports: StoreSupports;

  /**
   * Atomic and serialisable. A step with no records commits nothing and takes no lsn.
   * A record whose explicit `id` was committed before (engines remember at least the last 64 ids of an
   * agent) appends nothing, neither it nor its siblings; the step's result is returned all the same.
   */
  transact<T>(keys: readonly Key[], step: (view: View) => Step<T>): Promise<T>;

  /** One consistent view of the given keys; no lock is held afterwards. Other keys and ranges throw. */
  read(keys: readonly Key[], prefixes?: readonly string[]): Promise<View>;

  /** Every record at or after `from`, in order, each whole. Ends at the last record committed when it gets there. */
  scan(from?: Lsn): AsyncIterable<LedgerRecord>;

  /** Like `scan`, then goes on with records as they are committed, until the signal aborts. */
  watch?(from: Lsn, signal: AbortSignal): AsyncIterable<LedgerRecord>;

  close(): Promise<void>;
}
