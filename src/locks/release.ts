/** Releasing locks. Idempotent: what the caller does not hold counts as released. Other agents keep their locks. */
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
  /** The digest of the lost content; `null` if unknown. */
  readonly was: Digest | null;
  readonly gone?: true;
}

export interface ReleaseRow {
  readonly filepath: string;
  /** The caller does not hold it any more. */
  readonly released: boolean;
  readonly was_held: boolean;
  /** The caller's reservations that still cover it: release_files or `guard unreserve` ends those. */
  readonly still_reserved?: readonly StillReserved[];
  readonly error?: string;
  /** It was changed without guard while the caller held it, and the caller had not been notified. */
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
  /** Drift of these files, as above; `filepath` is the path in the ledger. */
  readonly drifted?: readonly (ReleasedDrift & { readonly filepath: string })[];
  /** Reservations are not locks, and are kept. */
  readonly still_reserved?: readonly StillReserved[];
}

/** Releases every lease of the caller; holds at a foreign lock server are not counted. */
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

/** Reported in this answer, so that no hook reports it again. For nearly every agent there is none. */
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
