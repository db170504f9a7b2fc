/** What compaction is asked for, and what it says: plain data, printed as JSON as it is. */
import type { Json, Key, Lsn } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';

export interface CompactOptions {
  readonly now: () => Now;
  readonly durability?: 'process' | 'fsync';
  readonly lock_deadline_ms?: number;
  readonly segment_bytes?: number;
  /** The newest segments of so many bytes together stay as they are, default 64 MiB. */
  readonly keep_bytes?: number;
  /** Only segments that were last written longer ago than this are touched. */
  readonly older_than_ms?: number;
  /** States that need not be carried: their keys are removed, on record. Default: none. */
  readonly forgets?: (key: Key, state: Json) => boolean;
  /** Hears how many bytes more of the oldest segments have been carried over, of how many. */
  readonly onCarried?: (bytes: number, total: number) => void;
}

export interface CompactReport {
  /** Oldest lsn that is still in the ledger. */
  readonly first: Lsn;
  /** Keys that were written again, and keys that were removed instead. */
  readonly carried: number;
  readonly forgotten: number;
  readonly archived: readonly string[];
  readonly freed_bytes: number;
}
