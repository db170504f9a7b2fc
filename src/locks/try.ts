import type { AcquireResult } from '../core/rules/acquire.ts';
import type { Who } from '../core/rules/agent.ts';
import type { Mode } from '../core/types.ts';
import { withChanges } from './changed.ts';
import type { LockLedger } from './ledger.ts';
import { locateAll } from './located.ts';
import type { LocatedPath } from './located.ts';
import { answerOf } from './rows.ts';
import type { Acquired, SayRelease } from './rows.ts';

export interface AcquireOptions {
  readonly mode: Mode;
  /** Null: as configured. */
  readonly ttl_ms: number | null;
  /** All of them or none. */
  readonly all: boolean;
}

/** Whose locks, and how its face speaks. */
export interface Caller {
  readonly who: Who;
  readonly release: SayRelease;
}

/** One attempt; what is free is kept even where something else is not (`all`: everything or nothing). */
export function tryLocks(
  ledger: LockLedger,
  { who, release }: Caller,
  given: readonly string[],
  options: AcquireOptions,
): Acquired {
  const located = locateAll(ledger, given);
  const results = acquireLocks(ledger, who, located, options, null);
  return withChanges(ledger, who.id, located, answerOf(located, results, null, { me: who.id, release }));
}

export function acquireLocks(
  ledger: LockLedger,
  who: Who,
  located: readonly LocatedPath[],
  { mode, ttl_ms, all }: AcquireOptions,
  wait_until_mono_ms: number | null,
): readonly AcquireResult[] {
  const paths = located.flatMap(({ path }) => (path === null ? [] : [path]));
  // All or none: a path that can have no lock leaves none.
  if (paths.length === 0 || (all && paths.length < located.length)) return [];
  return ledger.run({ type: 'lock.acquire', who, paths, mode, ttl_ms, all, wait_until_mono_ms });
}
