import type { CallerWorkspace } from '../workspace/workspace.ts';
import { LOCK_RELEASE, LOCK_RELEASE_ALL, LOCK_STATUS, LOCK_TRY, LOCK_WAIT } from '../operations/locks.ts';
import { asTool, type Tool } from './tool.ts';

export const SERVED_LOCK_TOOLS: readonly Tool<CallerWorkspace>[] = [
  asTool(LOCK_TRY, {
    description:
      'Locks files for you before you edit them; does not wait. Give ALL files you plan to modify in one call. ' +
      'Per file: "acquired", else who holds it, why and until when. Read a file with "changed" again before you edit it.',
    answers: { results: 'array', all_acquired: 'boolean' },
  }),
  asTool(LOCK_WAIT, {
    description:
      'Like lock_try, but waits for files that others hold. What you got stays yours if another file times out. ' +
      'On "error": "DEADLOCK", release first what "release" says.',
    answers: { results: 'array', all_acquired: 'boolean' },
  }),
  asTool(LOCK_RELEASE, {
    description:
      'Releases locked files, by path, as soon as you are done with them. "still_reserved" names reservations that keep ' +
      'a file yours: release_files releases those, by id.',
    answers: { results: 'array', all_released: 'boolean' },
  }),
  asTool(LOCK_STATUS, {
    description: 'Who holds or has reserved these files, and whether it is you.',
    answers: { results: 'array' },
    is_read_only: true,
  }),
  asTool(LOCK_RELEASE_ALL, {
    description: 'Releases every file you have locked and ends your waits; reservations stay.',
    answers: { count: 'number' },
  }),
];
