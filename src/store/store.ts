/**
 * The store: what every engine promises, and how it is called.
 *
 * An engine answers at once or in promises (`Pace`); `transact` and `consult` (transact.ts) are the one loop above all of
 * them: look at what a pure step asks for, run it, commit what it answers, and once more if something moved meanwhile.
 * All records of a commit are in the ledger, or none is; when `commit` has answered they survive any crash of any process
 * (with `durability: "fsync"` of the machine too). A process that dies anywhere leaves the ledger as if it had never
 * begun, or with its commit whole.
 *
 * Laws (test/store/contract runs them on every engine with racing processes): serialisable; a larger lsn for every later
 * commit; acknowledged means present; all or none; a commit is harmless when it is repeated under its id; nothing is
 * committed on what has moved since it was read, keys that were absent and listings included; unknown record types and
 * fields kept; a reader never sees half a record; watch wakes.
 */
import type { Json, Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';
import type { Step } from '../core/rules/transaction.ts';
import type { Now } from '../core/types.ts';

export type { Step };
export type { Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';

/** What a step sees. `tip`: the lsn behind the last record that is in it; `now`: the engine's clock. */
export type Sight = View & Pick<StoreLook, 'tip' | 'now'>;

/** How an engine answers: at once, or in a promise. */
export type Pace = 'now' | 'later';
export type AtPace<P extends Pace, T> = P extends 'now' ? T : Promise<T>;

/**
 * The live keys below a prefix. Those whose newest record is older than `since` (0: none) may be left out, and so may all but
 * the newest `most` (absent or 0: none): whoever gets fewer than that has all.
 */
export interface Index {
  readonly below: string;
  readonly since: Lsn;
  readonly most?: number;
  /**
   * Given: a page of keys without their states, in key order. Of those behind `after` ('' is before all) the first `most`; whoever
   * gets fewer has all.
   */
  readonly after?: Key;
}

/** What an index lists, in key order. Its version is another one after every change to what it lists. */
export interface Listed extends Index {
  readonly entries: readonly (readonly [Key, Json])[];
  /** Of a page of keys, whose `entries` are empty. Null: the engine has none in order, they are to be listed with their states. */
  readonly keys?: readonly Key[] | null;
  readonly version: string;
}

/** `version`: lsn of the newest record that gave it; 0 where the key has no state. */
export interface Stated {
  readonly state: Json | undefined;
  readonly version: Lsn;
}

/** One moment of the ledger. */
export interface StoreLook {
  readonly states: ReadonlyMap<Key, Stated>;
  /** In the order asked for. */
  readonly lists: readonly Listed[];
  /** The lsn behind the last record of that moment. */
  readonly tip: Lsn;
  /** The engine's clock. Where machines share it, that is everybody's. */
  readonly now: Now;
  /** Whether every record up to that moment was written with its index keys (src/core/keys.ts). Absent: not known. */
  readonly indexed?: boolean | undefined;
  /** State of a key that was looked at. */
  get(key: Key): Json | undefined;
}

/** What a commit rests on. `tip`: of the oldest look in it. */
export interface Read {
  readonly tip: Lsn;
  readonly indexed?: boolean | undefined;
  readonly keys: ReadonlyMap<Key, Lsn>;
  readonly lists: readonly (Index & Pick<Listed, 'version'>)[];
}

export type Committed =
  /** `lsn`: what stands for `view.next` now. `repeated`: it had been committed before, and nothing was appended. */
  | { readonly verdict: 'done' | 'repeated'; readonly lsn: Lsn }
  /** Nothing was appended. `look`: what was read, as it is now. */
  | { readonly verdict: 'moved'; readonly look: StoreLook };

interface StoreSupports {
  /** `watch` wakes within milliseconds of a commit. */
  readonly watch: boolean;
  /** Machines may share it: the clock that counts is the engine's. */
  readonly shared: boolean;
  /** Acknowledged records survive power loss. */
  readonly durable: boolean;
}

/** What the loop needs of an engine. */
export interface Engine<P extends Pace> {
  /** Keys that have no state are answered too. No lock is held afterwards. */
  look(keys: readonly Key[], indexes?: readonly Index[]): AtPace<P, StoreLook>;

  /**
   * Appends all of the records if nothing of what was read has moved, else none. No records: nothing, and no lsn is taken.
   * @param id of the commit, kept with the first record that has none of its own. A record whose id its agent committed
   *   before (engines remember at least the last 64) appends nothing, neither it nor its siblings: `repeated`.
   */
  commit(read: Read, records: readonly RecordBody[], id?: string): AtPace<P, Committed>;
}

/** How others are kept out meanwhile. */
export interface StillOptions {
  readonly writes: boolean;
  /** For how long others are waited for; absent: the store's own limit. */
  readonly wait_ms?: number;
  /** From the first look on, though nothing may be written: for files beside the ledger that are made of what is in it. */
  readonly alone?: boolean;
}

export interface Store<P extends Pace = 'now'> extends Engine<P> {
  readonly supports: StoreSupports;

  /**
   * Of an engine that can keep everybody out for a moment, or can tell that nobody came: all looks of `use` are of one moment, and
   * a second commit finds nothing moved. `use` may be run again from its start; the store itself may not be used in it.
   * @throws GuardError GUARD_ERR_BUSY where others have the ledger for too long
   */
  readonly still?: <T>(use: (engine: Engine<P>) => T, options: StillOptions) => T;

  /** Every record at or after `from`, in order, each whole. Ends at the last record committed when it gets there. */
  scan(from?: Lsn): P extends 'now' ? Iterable<LedgerRecord> : AsyncIterable<LedgerRecord>;

  /** Like `scan`, then goes on with records as they are committed, until the signal aborts. */
  watch(from: Lsn, signal: AbortSignal): AsyncIterable<LedgerRecord>;

  /** The lsn behind the last record: `scan(tip())` yields what comes later. */
  tip(): AtPace<P, Lsn>;

  close(): AtPace<P, void>;

  /** What could not be committed just now was left to be told later (late/leave-late.ts): from now on looks show it. */
  readonly left?: () => void;
}

/** What a step is run on. */
export type Steps<P extends Pace> = Engine<P> & Pick<Store<P>, 'still'>;
