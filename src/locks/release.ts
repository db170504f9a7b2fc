/** Giving locks back. Idempotent: what the caller does not hold counts as released. Another agent's lock is left alone. */
import type { StillReserved } from '../core/rules/release.ts';
import { authorName } from '../core/drift.ts';
import type { Drifted } from '../core/drifted.ts';
import { holdingsOf } from '../core/holdings.ts';
import { agentKey } from '../core/keys.ts';
import { asAgentState } from '../core/states.ts';
import type { Digest, RepoPath } from '../core/types.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { locateAll } from './located.ts';
import { consult } from '../store/transact.ts';

export interface ReleasedDrift {
  /** As `changed_by` of a denial. */
  readonly by: string;
  /** Of the content that is gone; null: nobody knows. */
  readonly was: Digest | null;
  readonly gone?: true;
}

export interface ReleaseRow {
  readonly filepath: string;
  /** The caller does not hold it any more. */
  readonly released: boolean;
  readonly was_held: boolean;
  /** Own reservations that still cover it: giving those back (release_files, `guard unreserve`) releases it. */
  readonly still_reserved?: readonly StillReserved[];
  readonly error?: string;
  /** It was changed past guard while the caller held it, and the caller was not told before. */
  readonly drifted?: ReleasedDrift;
}

export interface Released {
  readonly results: readonly ReleaseRow[];
  readonly all_released: boolean;
}

export function releaseLocks(space: CallerWorkspace, given: readonly string[]): Released {
  const located = locateAll(space, given);
  const paths = located.flatMap(({ path }) => (path === null ? [] : [path]));
  const drifted = driftOf(space, paths);
  const { who, run } = space;
  const done = paths.length === 0 ? [] : run({ type: 'lock.release', who, paths });
  const results = located.map((row) => {
    const result = done.find(({ path }) => path === row.path);
    const reserved = result?.reserved ?? [];
    return {
      filepath: row.given,
      released: result?.released ?? false,
      was_held: result?.was_held ?? false,
      ...(reserved.length === 0 ? {} : { still_reserved: reserved }),
      ...(row.error === null ? {} : { error: row.error }),
      ...driftedIn(drifted, row.path),
    };
  });
  return { results, all_released: results.every(({ released }) => released) };
}

export interface ReleasedAll {
  readonly count: number;
  /** Of these, as above; `filepath` is the path of the ledger. */
  readonly drifted?: readonly (ReleasedDrift & { readonly filepath: string })[];
  /** Reservations are no locks and stay. */
  readonly still_reserved?: readonly StillReserved[];
}

/** Every lease of the caller; what it holds at a foreign lock server is not guard's to count. */
export function releaseAllLocks(space: CallerWorkspace): ReleasedAll {
  const { store, run, who } = space;
  const facts = space.facts();
  const { paths: held, reservations } = consult(store, (view) => holdingsOf(view, who.id, facts));
  const drifted = driftOf(space, held);
  run({ type: 'lock.release_all', who, held });
  const still_reserved = reservations.map(({ id, scope, pattern, reason }) => ({
    ...{ id, reason },
    pattern: scope + pattern,
  }));
  return {
    count: held.length,
    ...(drifted.length === 0
      ? {}
      : { drifted: drifted.map((one) => ({ filepath: one.path, ...asDrift(one) })) }),
    ...(still_reserved.length === 0 ? {} : { still_reserved }),
  };
}

/** Told with this, so that no hook tells it again. Of nearly every agent there is nothing to tell. */
function driftOf({ store, run, who }: CallerWorkspace, paths: readonly RepoPath[]): readonly Drifted[] {
  const key = agentKey(who.id);
  const { drifted = [] } = asAgentState(store.look([key]).get(key)) ?? {};
  if (drifted.every(({ path }) => !paths.includes(path))) return [];
  return run({ type: 'drift.told', who, only: paths });
}

function driftedIn(drifted: readonly Drifted[], path: RepoPath | null): { readonly drifted?: ReleasedDrift } {
  const one = drifted.find((entry) => entry.path === path);
  return one === undefined ? {} : { drifted: asDrift(one) };
}

const asDrift = (one: Drifted): ReleasedDrift => ({
  by: authorName(one),
  was: one.from,
  ...(one.to === null ? { gone: true as const } : {}),
});
