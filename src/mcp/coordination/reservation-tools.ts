/** reserve_files, release_files, release_all, check_conflicts, my_reservations. */
import {
  checkConflicts,
  listReservations,
  releaseAll,
  releaseFiles,
  reserveFiles,
} from '../../coordination/reservations.ts';
import type { ReleaseAnswer, ReserveAnswer } from '../../coordination/reservations.ts';
import { flag, number, text, texts } from './shapes.ts';
import { coordinationTool, required } from './tool.ts';
import type { CoordinationTool } from './tool.ts';

const MINUTE_MS = 60_000;

export const RESERVATION_TOOLS: readonly CoordinationTool[] = [
  coordinationTool(
    {
      name: 'reserve_files',
      title: 'Reserve files by pattern',
      description:
        'Reserves file patterns for you for a while, so that other agents stay out: writes to matching files are then yours without a lock. ' +
        'Reserving the same pattern again extends it.',
    },
    {
      patterns: texts(
        "Glob patterns for files to reserve, relative to the repository (e.g. 'src/router.go', 'src/http/**')",
      ),
      reason: text("Why you're reserving these files"),
      ttl_minutes: number('Reservation duration in minutes (default: 15, at most 1440)'),
      exclusive: flag(true, 'Whether the reservation is exclusive (default: true)'),
      all_or_nothing: flag(false, 'True: all patterns or none (default: false)'),
    },
    ({ patterns, reason, ttl_minutes, exclusive, all_or_nothing }, desk) =>
      reserveFiles(desk, {
        patterns: required('patterns', patterns),
        reason: required('reason', reason),
        ...(ttl_minutes !== undefined && ttl_minutes > 0 ? { ttl_ms: ttl_minutes * MINUTE_MS } : {}),
        exclusive,
        all: all_or_nothing,
      }),
    ({ reservations }: ReserveAnswer, { who }) =>
      reservations.length === 0
        ? null
        : {
            event: 'reserve',
            text: `${who.id} reserved ${reservations.map((one) => one.path_pattern).join(', ')}`,
          },
  ),
  coordinationTool(
    {
      name: 'release_files',
      title: 'Give reservations back',
      description: 'Releases reservations of yours by id. What you no longer hold counts as released.',
    },
    { reservation_ids: texts('Ids of the reservations to release') },
    ({ reservation_ids }, desk) => releaseFiles(desk, required('reservation_ids', reservation_ids)),
    ({ released }: ReleaseAnswer, { who }) => ({
      event: 'release',
      text: `${who.id} released ${released.join(', ')}`,
    }),
  ),
  coordinationTool(
    {
      name: 'release_all',
      title: 'Give all reservations back',
      description: 'Releases every reservation of yours. Locks on single files are lock_release_all.',
    },
    {},
    (_, desk) => releaseAll(desk),
    ({ released_count }: { released_count: number }, { who }) => ({
      event: 'release',
      text: `${who.id} released ${released_count} reservations`,
    }),
  ),
  coordinationTool(
    {
      name: 'check_conflicts',
      title: 'Look for conflicts',
      description: 'Whether patterns could be reserved now, and who is in the way. Reserves nothing.',
      is_read_only: true,
    },
    { patterns: texts('Glob patterns to check') },
    ({ patterns }, desk) => checkConflicts(desk, required('patterns', patterns)),
  ),
  coordinationTool(
    {
      name: 'my_reservations',
      title: 'Your reservations',
      description:
        'Every active reservation of yours: its patterns, whether it is exclusive, why, and until when.',
      is_read_only: true,
    },
    {},
    (_, desk) => listReservations(desk, { agent: desk.who.id }),
  ),
];
