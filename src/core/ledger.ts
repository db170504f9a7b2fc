/**
 * The vocabulary of the ledger.
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

/** New states of the touched keys; `null` removes a key. */
export type States = Readonly<Record<Key, Json>>;

/** A record as written by policy; the engine adds v, ts, lsn, prev, crc and, if missing, an id. */
export interface RecordBody {
  readonly type: string;
  readonly agent: string;
  /** Makes a retry harmless. */
  readonly id?: string;
  /** Wall clock of the decision, in milliseconds since the epoch; for people. Stored never earlier than the previous one's. */
  readonly ts_ms: number;
  readonly s: States;
  /** Facts for readers of the log, by record type. */
  readonly [fact: string]: Json | undefined;
}

/** A stored record. `ts` is RFC 3339 with milliseconds. */
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
  /** The state of a key; `undefined` if it has none. Reading a key loads it. */
  get(key: Key): Json | undefined;
  /**
   * Live keys with a prefix and their states, in key order; serialisable. Costs a scan of the index, so it is never
   * used for a plain write. Keys whose newest record is older than `since` may be left out. If `most` is given and not
   * 0, all but the newest `most` may be left out too.
   */
  range(prefix: string, since?: Lsn, most?: number): readonly (readonly [Key, Json])[];
  /**
   * A page of the live keys with a prefix, without their states, in key order: the first `most` after `after` ('': from
   * the start). `since` is as for `range`. If it is absent or returns `null`, there is no such list and callers use
   * `range`.
   */
  keys?(prefix: string, after: Key, most: number, since?: Lsn): readonly Key[] | null;
  /**
   * Placeholder for the lsn that the commit will get. That is larger than any token granted before, so it serves as the
   * fencing token. The engine substitutes the number (src/store/placeholder.ts).
   */
  readonly next: Lsn;
  /** Whether the index keys are complete (keys.ts). Absent: unknown, as for a view of only some states. */
  readonly indexed?: boolean | undefined;
}
