/** A request to reserve globs, and the answer. */
import type { Mode } from '../types.ts';
import type { Conflict } from './conflict.ts';
import type { OwnedReservation } from './reserved.ts';
import type { Who } from './who.ts';

export interface ReserveEvent {
  readonly type: 'reserve';
  readonly who: Who;
  /** Prefix of the checkout: '' or `//<worktree>/`. */
  readonly scope: string;
  /** Patterns accepted by parseGlob. */
  readonly patterns: readonly string[];
  readonly mode: Mode;
  readonly reason: string;
  /** A day at most. */
  readonly ttl_ms: number;
  /** All in one transaction or none. */
  readonly all: boolean;
  /** Only check, and change nothing. */
  readonly dry: boolean;
}

export interface ReserveResult {
  readonly pattern: string;
  readonly reservation: OwnedReservation | null;
  /** True if it existed before and now lasts longer. */
  readonly renewed: boolean;
  /** Oldest first. */
  readonly conflicts: readonly Conflict[];
  /** There may be more, older ones too: enough were found to refuse and to show. Absent: these are all. */
  readonly has_more?: true;
  readonly error: 'QUOTA' | null;
}
