/** Options and result of a compaction: plain data, printed as JSON unchanged. */
import type { Json, Key, Lsn, States } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';

export interface CompactOptions {
  readonly now: () => Now;
  readonly durability?: 'process' | 'fsync';
  readonly lock_deadline_ms?: number;
  readonly segment_bytes?: number;
  /** The newest segments, up to this many bytes in total, are left alone. Default: 64 MiB. */
  readonly keep_bytes?: number;
  /** Only segments last written longer ago than this are compacted. */
  readonly older_than_ms?: number;
  /**
   * The states to record in place of one that would be carried; null removes a key. Undefined: the state as it is.
   * `see`: the present state of any key. Default: all states as they are.
   */
  readonly remains?: (key: Key, state: Json, see: (key: Key) => Json | undefined) => States | undefined;
  /** Called with the number of bytes newly carried from the oldest segments, and the total to carry. */
  readonly onCarried?: (bytes: number, total: number) => void;
}

export interface CompactReport {
  /** Oldest lsn that is still in the ledger. */
  readonly first: Lsn;
  /** Keys that were rewritten, and keys that were removed instead. */
  readonly carried: number;
  readonly forgotten: number;
  readonly archived: readonly string[];
  readonly freed_bytes: number;
}
