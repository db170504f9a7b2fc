/**
 * Every kind of denial, in order of priority: if a call is refused for several reasons, the topmost is reported and the
 * others go into `details.also`. A kind without a row here does not exist.
 */

interface Kind {
  /** What is refused: a write to a file (usually also by a command line), a whole command line, or a harness tool. */
  readonly of: 'write' | 'command' | 'harness tool';
  /** Its next step is to read. Obstacles are reported first, since what is read before the file is free is outdated. */
  readonly asks_to_read?: true;
}

export const DENIAL_KINDS = {
  GUARD_ERROR: { of: 'write' },
  PROTECTED_PATH: { of: 'write' },
  FENCE_MISSING: { of: 'command' },
  STALE_FILE: { of: 'write', asks_to_read: true },
  UNREAD_FILE: { of: 'write', asks_to_read: true },
  DEADLOCK: { of: 'write' },
  LOCKED_BY_OTHER: { of: 'write' },
  WORK_OF_OTHERS: { of: 'command' },
  NOT_LOCKED: { of: 'write' },
  WRITE_IN_FLIGHT: { of: 'write' },
  UNRESOLVED_TARGET: { of: 'command' },
  // Never combined with another kind.
  NOT_PERMITTED: { of: 'harness tool' },
} as const satisfies Readonly<Record<string, Kind>>;

export type ErrorType = keyof typeof DENIAL_KINDS;

const ORDER = Object.keys(DENIAL_KINDS);

/** Compares for sorting by descending priority. */
export const byPriority = (a: ErrorType, b: ErrorType): number => ORDER.indexOf(a) - ORDER.indexOf(b);

export const asksToRead = (kind: ErrorType): boolean => 'asks_to_read' in DENIAL_KINDS[kind];
