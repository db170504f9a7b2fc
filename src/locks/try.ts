import type { Mode } from '../core/types.ts';
import { withChanges } from './changed.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { locateAll } from './located.ts';
import { type Acquired, answerOf, type SayRelease } from './rows.ts';

export interface AcquireOptions {
  readonly mode: Mode;
  /** `null`: as configured. */
  readonly ttl_ms: number | null;
  /** All of them or none. */
  readonly all: boolean;
}

/** One attempt; free paths are locked even if others are not (with `all`: everything or nothing). */
export function tryLocks(
  space: CallerWorkspace,
  given: readonly string[],
  { mode, ttl_ms, all }: AcquireOptions,
  { release }: { readonly release: SayRelease },
): Acquired {
  const { who, run } = space;
  const located = locateAll(space, given);
  const paths = located.flatMap(({ path }) => (path === null ? [] : [path]));
  // With all or none, one path that cannot be locked rules out the rest.
  const isVain = paths.length === 0 || (all && paths.length < located.length);
  const asked = { type: 'lock.acquire', who, paths, mode, ttl_ms, all, wait_until_mono_ms: null } as const;
  const results = isVain ? [] : run(asked);
  return withChanges(space, located, answerOf(located, results, null, { me: who.id, release }));
}
