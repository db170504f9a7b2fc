/** The lock operations, with the names and fields of the first lock tools. */
import { type AcquireOptions, tryLocks } from '../locks/try.ts';
import { releaseAllLocks, releaseLocks } from '../locks/release.ts';
import { statusOfLocks } from '../locks/status.ts';
import { waitForLocks } from '../locks/wait.ts';
import { type Field, flag, type InputOf, listOf, number, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { wrong } from './read-input.ts';

const DAY_S = 86_400;
const WAIT_S = 30;
const PATHS_MAX = 10_000;

const files = (about = ''): { readonly filepaths: Field<readonly string[]> } => ({
  filepaths: listOf(about, text(''), { max: PATHS_MAX }),
});

const LEASE = {
  all_or_nothing: withDefault(flag(''), false),
  shared: withDefault(flag('For reading only'), false),
  // Limited: a lease of years would be a file that no other agent can ever write.
  ttl_seconds: withDefault(
    number('After your last activity', { above: 0, max: DAY_S, cut: true }) as Field<number | null>,
    null,
  ),
};

const leaseOf = ({ shared, ttl_seconds, all_or_nothing }: InputOf<typeof LEASE>): AcquireOptions => ({
  mode: shared ? 'shared' : 'exclusive',
  ttl_ms: ttl_seconds === null ? null : ttl_seconds * 1000,
  all: all_or_nothing,
});

export const LOCK_TRY = operation('lock_try', { ...files(), ...LEASE }, (input, space, around) =>
  tryLocks(space, input.filepaths, leaseOf(input), around),
);

export const LOCK_WAIT = operation(
  'lock_wait',
  {
    ...files(),
    timeout_seconds: withDefault(
      number('For each file; with all_or_nothing for all', { min: 0, max: DAY_S, cut: true }),
      WAIT_S,
    ),
    // Ignored: a release wakes the wait immediately, without polling.
    poll_interval_ms: {
      ...withDefault(number('', { above: 0, max: DAY_S * 1000, cut: true }), 100),
      is_hidden: true,
    },
    ...LEASE,
  },
  (input, space, around) =>
    waitForLocks(
      space,
      input.filepaths,
      { ...leaseOf(input), timeout_ms: input.timeout_seconds * 1000 },
      around,
    ),
);

export const LOCK_RELEASE = operation('lock_release', files(), ({ filepaths }, space) =>
  releaseLocks(space, filepaths),
);

export const LOCK_STATUS = operation('lock_status', files('By default every lock'), ({ filepaths }, space) =>
  statusOfLocks(space, filepaths),
);

export const LOCK_RELEASE_ALL = operation('lock_release_all', {}, (_, space) => releaseAllLocks(space));

/** One of the two: some files, or everything. */
export const UNLOCK = operation(
  'unlock',
  { filepaths: withDefault(files().filepaths, []), all_held: withDefault(flag(''), false) },
  ({ filepaths, all_held }, space) => {
    if (all_held === filepaths.length > 0)
      throw wrong(all_held ? 'all_held' : 'filepaths', 'Pass either paths or --all-held.');
    return all_held ? releaseAllLocks(space) : releaseLocks(space, filepaths);
  },
);
