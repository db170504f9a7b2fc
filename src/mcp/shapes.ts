/** What the lock tools take, checked at the door. */
import * as z from 'zod';
import { RESERVED, SIGNED_CHARS } from '../core/lock-tools.ts';

const PATHS_MAX = 1_000;
const DAY_S = 86_400;
const WAIT_S = 30;
const POLL_MS = 100;

const reserved = {
  [RESERVED.agent]: z.string().max(SIGNED_CHARS).optional().describe('Filled in by guard. Leave it out.'),
  [RESERVED.cwd]: z.string().max(4_096).optional().describe('Filled in by guard. Leave it out.'),
};

const paths = (what: string) => ({
  filepaths: z.array(z.string().min(1).max(4_096)).max(PATHS_MAX).describe(what),
});

const lease = {
  all_or_nothing: z
    .boolean()
    .default(false)
    .describe('True: all files or none. Default: keep those that could be locked.'),
  shared: z.boolean().default(false).describe('True: for reading, together with other shared locks.'),
  ttl_seconds: z
    .number()
    .positive()
    .max(DAY_S)
    .optional()
    .describe('How long the lock outlives your last activity (default: as the repository has it, 900).'),
};

export const TRY = z.object({ ...paths('Files to lock, absolute or relative.'), ...lease, ...reserved });

export const WAIT = z.object({
  ...paths('Files to lock, absolute or relative.'),
  timeout_seconds: z
    .number()
    .min(0)
    .max(DAY_S)
    .default(WAIT_S)
    .describe(
      `Longest wait for each file in seconds (default: ${WAIT_S}); with all_or_nothing for all of them.`,
    ),
  poll_interval_ms: z
    .number()
    .int()
    .positive()
    .default(POLL_MS)
    .describe(
      `Accepted for older callers (default: ${POLL_MS}); a release wakes the wait at once, nothing polls.`,
    ),
  ...lease,
  ...reserved,
});

export const RELEASE = z.object({ ...paths('Files to unlock.'), ...reserved });
export const STATUS = z.object({ ...paths('Files to look at; none: every lock.'), ...reserved });
/** With an empty list, as callers of the first lock tools know it. */
export const RELEASE_ALL = z.object(reserved).meta({ required: [] });

export type LeaseInput = Pick<z.output<typeof TRY>, 'all_or_nothing' | 'shared' | 'ttl_seconds'>;
export type Reserved = z.output<typeof RELEASE_ALL>;
