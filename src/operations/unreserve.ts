/** Releasing reservations: by id, or all. */
import type { Unreserved } from '../core/rules/unreserve.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { flag, label, listOf, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { wrong } from './read-input.ts';

export interface ReleaseAnswer {
  readonly released: readonly string[];
  readonly errors: readonly {
    readonly id: string;
    readonly code: keyof typeof NOT_RELEASED;
    readonly error: string;
  }[];
}

/** Idempotent: a reservation that no agent holds any more counts as released; one that never existed is an error. */
export const RELEASE_FILES = operation(
  'release_files',
  { reservation_ids: listOf('Like r-1234', label(''), { min: 1 }) },
  ({ reservation_ids }, space) => releaseFiles(space, reservation_ids),
);

function releaseFiles(space: CallerWorkspace, ids: readonly string[]): ReleaseAnswer {
  const results = space.run({ type: 'unreserve', who: space.who, ids });
  const last = space.store.tip();
  return {
    released: results.filter((one) => one.released && !isNone(one, last)).map(({ id }) => id),
    errors: results
      .filter((one) => !one.released || isNone(one, last))
      .map((one) => {
        const code = one.is_unknown || isNone(one, last) ? 'UNKNOWN' : 'NOT_YOURS';
        return { id: one.id, code, error: NOT_RELEASED[code] };
      }),
  };
}

/** An id is the number of the grant's record; one beyond the tip was never given. Older ones may be compacted. */
const isNone = ({ id, was_held }: Unreserved, last: number): boolean =>
  !was_held && Number(id.slice('r-'.length)) > last;

const NOT_RELEASED = {
  NOT_YOURS: 'another agent holds it',
  UNKNOWN: 'unknown: there never was such a reservation; my_reservations and "guard reservations" list yours',
} as const;

export const RELEASE_ALL = operation('release_all', {}, (_, space) => releaseAll(space));

const releaseAll = ({ who, run }: CallerWorkspace): { readonly released_count: number } => ({
  released_count: run({ type: 'unreserve', who, ids: null }).length,
});

/** One of the two: by id, or all. */
export const UNRESERVE = operation(
  'unreserve',
  {
    reservation_ids: withDefault(RELEASE_FILES.fields.reservation_ids, []),
    all: withDefault(flag(''), false),
  },
  ({ reservation_ids, all }, space) => {
    if (all === reservation_ids.length > 0)
      throw wrong('reservation_ids', 'Pass either ids or --all. "guard reservations" shows the ids.');
    return all ? releaseAll(space) : releaseFiles(space, reservation_ids);
  },
);
