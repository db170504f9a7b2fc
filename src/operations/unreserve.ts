/** Giving reservations back: by id, or all. */
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

/** Idempotent: what nobody holds counts as released; what is no id of a reservation is an error. */
export const RELEASE_FILES = operation(
  'release_files',
  { reservation_ids: listOf('Like r-1234', label(''), { min: 1 }) },
  ({ reservation_ids }, space) => releaseFiles(space, reservation_ids),
);

function releaseFiles(space: CallerWorkspace, ids: readonly string[]): ReleaseAnswer {
  const results = space.run({ type: 'unreserve', who: space.who, ids });
  return {
    released: results.filter(({ released }) => released).map(({ id }) => id),
    errors: results
      .filter(({ released }) => !released)
      .map(({ id, is_unknown }) => {
        const code = is_unknown ? 'UNKNOWN' : 'NOT_YOURS';
        return { id, code, error: NOT_RELEASED[code] };
      }),
  };
}

const NOT_RELEASED = {
  NOT_YOURS: 'another agent holds it',
  UNKNOWN: 'unknown: this is no id of a reservation; my_reservations and "guard reservations" list yours',
} as const;

export const RELEASE_ALL = operation('release_all', {}, (_, space) => releaseAll(space));

const releaseAll = ({ who, run }: CallerWorkspace): { readonly released_count: number } => ({
  released_count: run({ type: 'unreserve', who, ids: null }).length,
});

/** Either of the two: by id, or all. */
export const UNRESERVE = operation(
  'unreserve',
  {
    reservation_ids: withDefault(RELEASE_FILES.fields.reservation_ids, []),
    all: withDefault(flag(''), false),
  },
  ({ reservation_ids, all }, space) => {
    if (all === reservation_ids.length > 0)
      throw wrong(
        'reservation_ids',
        'Give ids, or --all: one of the two. "guard reservations" shows the ids.',
      );
    return all ? releaseAll(space) : releaseFiles(space, reservation_ids);
  },
);
