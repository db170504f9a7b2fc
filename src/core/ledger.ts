/**
 * The ledger's own words.
 *
 * - record: one line of the ledger; carries the complete new state of every key it touches.
 * - lsn: logical byte offset of a record; larger for every later commit; never reused.
 * - key: names one piece of state, `path:src/a.ts`, `agent:claude-1`, `wait:claude-1`.
 * - view: the states a transaction may look at.
 */

export type Lsn = number;
export type Key = string;

/** JSON as the ledger stores it. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/** New state of the touched keys; `null` removes a key. */
export type States = Readonly<Record<Key, Json>>;

/** A record as policy writes it; the engine adds v, ts, lsn, prev and crc, and an id where none is given. */
export interface RecordBody {
  readonly type: string;
  readonly agent: string;
  /** Makes a retry harmless. */
  readonly id?: string;
  /** Wall clock of the decision, milliseconds since the epoch; for people. The ledger dates no record before the one that is there. */
  readonly ts_ms: number;
  readonly s: States;
  /** Facts for readers of the log, by record type. */
  readonly [fact: string]: Json | undefined;
}

/** A record as it stands in the ledger. `ts` is RFC 3339 with milliseconds. */
export interface LedgerRecord {
  readonly v: number;
  readonly id: string;
  readonly type: string;
  readonly ts: string;
  readonly agent: string;
  readonly s: States;
  readonly prev: string;
  readonly lsn: Lsn;
  readonly crc: string;
  readonly [fact: string]: Json | undefined;
}

export interface View {
  /** State of a key, undefined where it has none. Reading it loads it. */
  get(key: Key): Json | undefined;
  /**
   * Live keys below a prefix with their states, in key order; serialisable. Costs a scan of the index:
   * never on the path of a plain write. Keys whose newest record is older than `since` may be left out; where `most` is
   * given and not 0, so may all but the newest so many.
   */
  range(prefix: string, since?: Lsn, most?: number): readonly (readonly [Key, Json])[];
  /**
   * A page of the live keys below a prefix without their states, in key order: of those behind `after` ('': from the first) the
   * first `most`. `since` as for `range`. Null or absent: there is no such list, so they are to be ranged over.
   */
  keys?(prefix: string, after: Key, most: number, since?: Lsn): readonly Key[] | null;
  /**
   * Stands for the lsn that the commit is going to get: larger than any token granted before, so it serves as fencing
   * token. The engine puts the number itself in its place (src/store/placeholder.ts).
   */
  readonly next: Lsn;
  /** Whether what the index keys list is complete (keys.ts). Absent: nobody can tell, as of a view of some states only. */
  readonly indexed?: boolean | undefined;
}
