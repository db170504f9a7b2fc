/**
 * The store: what every engine promises, and how it is called.
 *
 * An engine answers immediately or in promises (`Pace`). `transact` and `consult` (transact.ts) are the one loop above
 * all engines: look at what a pure step reads, run the step, commit its records, and repeat if something has moved
 * meanwhile. Either all records of a commit are in the ledger or none is. Once `commit` has answered, they survive a
 * crash of any process (with `durability: "fsync"`, of the machine too). A process that dies anywhere leaves the ledger
 * either untouched or with its whole commit.
 *
 * Laws (test/store/contract runs them on every engine with racing processes): serialisable; a larger lsn for every
 * later commit; acknowledged means present; all or none; repeating a commit under its id is harmless; nothing is
 * committed if anything it read has moved, including absent keys and listings; unknown record types and fields are
 * kept; a reader never sees half a record; watch wakes.
 */
import type { Json, Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';
import type { Step } from '../core/rules/transaction.ts';
import type { Now } from '../core/types.ts';

export type { Step };
export type { Key, LedgerRecord, Lsn, RecordBody, View } from '../core/ledger.ts';

/** What a step sees. `tip`: the lsn after the last record it includes; `now`: the engine's clock. */
export type Sight = View & Pick<StoreLook, 'tip' | 'now'>;

/** Whether an engine answers immediately or in a promise. */
export type Pace = 'now' | 'later';
export type AtPace<P extends Pace, T> = P extends 'now' ? T : Promise<T>;

/**
 * The live keys below a prefix. Those whose newest record is older than `since` (0: no limit) may be omitted, and so
 * may all but the newest `most` (absent or 0: no limit). A list with fewer than `most` keys is complete.
 */
export interface Index {
  readonly below: string;
  readonly since: Lsn;
  readonly most?: number;
  /**
   * If given, asks for a page of keys without their states, in key order: the first `most` of those after `after` (''
   * sorts before all). A page with fewer keys is the last one.
   */
  readonly after?: Key;
}

/** What an index lists, in key order. Its version differs after every change to what it lists. */
export interface Listed extends Index {
  readonly entries: readonly (readonly [Key, Json])[];
  /** The keys of a page, whose `entries` are empty. Null: the engine has no sorted keys, so list them with their states. */
  readonly keys?: readonly Key[] | null;
  readonly version: string;
}

/** `version`: lsn of the newest record that set the state; 0 if the key has no state. */
export interface Stated {
  readonly state: Json | undefined;
  readonly version: Lsn;
}

/** The ledger at one moment. */
export interface StoreLook {
  readonly states: ReadonlyMap<Key, Stated>;
  /** In the order asked for. */
  readonly lists: readonly Listed[];
  /** The lsn after the last record of that moment. */
  readonly tip: Lsn;
  /** The newest number that is visible, even if smaller ones may still appear. Absent: not known. */
  readonly top?: Lsn | undefined;
  /** The engine's clock, which all machines share if they share the engine. */
  readonly now: Now;
  /** Whether every record up to that moment was written with its index keys (src/core/keys.ts). Absent: not known. */
  readonly indexed?: boolean | undefined;
  /** State of a key that was included in the look. */
  get(key: Key): Json | undefined;
}

/** What a commit depends on. `tip` is that of its oldest look. */
export interface Read {
  readonly tip: Lsn;
  readonly indexed?: boolean | undefined;
  readonly keys: ReadonlyMap<Key, Lsn>;
  readonly lists: readonly (Index & Pick<Listed, 'version'>)[];
}

export type Committed =
  /** `lsn`: the number that replaced `view.next`. `repeated`: it had been committed before, so nothing was appended. */
  | { readonly verdict: 'done' | 'repeated'; readonly lsn: Lsn }
  /** Nothing was appended. `look`: the current state of what was read. */
  | { readonly verdict: 'moved'; readonly look: StoreLook };

interface StoreSupports {
  /** `watch` wakes within milliseconds of a commit. */
  readonly watch: boolean;
  /** Several machines may share it, so the engine's clock counts. */
  readonly shared: boolean;
  /** Acknowledged records survive power loss. */
  readonly durable: boolean;
}

/** What the loop needs from an engine. */
export interface Engine<P extends Pace> {
  /** Includes keys that have no state. Holds no lock afterwards. */
  look(keys: readonly Key[], indexes?: readonly Index[]): AtPace<P, StoreLook>;

  /**
   * Appends all of the records if nothing that was read has moved, otherwise none. Without records, no lsn is taken.
   * @param id of the commit, kept with the first record that has no id of its own. If any record's id was committed
   *   before by its agent (engines remember at least the last 64), none of the records is appended: `repeated`.
   */
  commit(read: Read, records: readonly RecordBody[], id?: string): AtPace<P, Committed>;
}

/** How other processes are kept out. */
export interface StillOptions {
  readonly writes: boolean;
  /** How long to wait for others. Default: the store's own limit. */
  readonly wait_ms?: number;
  /** Lock from the first look on even without writing: for files next to the ledger that are derived from it. */
  readonly alone?: boolean;
}

export interface Store<P extends Pace = 'now'> extends Engine<P> {
  readonly supports: StoreSupports;

  /**
   * Exists if an engine can lock everyone out for a moment, or detect that no one intervened: all looks in `use` are then
   * of one moment, and a second commit finds nothing moved. `use` may be run again, and must not use the store.
   * @throws GuardError GUARD_ERR_BUSY if others have the ledger for too long
   */
  readonly still?: <T>(use: (engine: Engine<P>) => T, options: StillOptions) => T;

  /**
   * Every complete record at or after `from`, in order. Ends at the last record committed by the time it gets there.
   * @param page for callers that need few: how many an engine may fetch at a time, without waiting for later ones
   */
  scan(from?: Lsn, page?: number): P extends 'now' ? Iterable<LedgerRecord> : AsyncIterable<LedgerRecord>;

  /** Like `scan`, but continues with records as they are committed, until the signal aborts. */
  watch(from: Lsn, signal: AbortSignal): AsyncIterable<LedgerRecord>;

  /** The lsn after the last record: `scan(tip())` yields what comes later. */
  tip(): AtPace<P, Lsn>;

  close(): AtPace<P, void>;

  /** Call after leaving an event for later (late/leave-late.ts): looks from now on include it. */
  readonly left?: () => void;
}

/** What a step can be run on. */
export type Steps<P extends Pace> = Engine<P> & Pick<Store<P>, 'still'>;
