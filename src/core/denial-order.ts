import type { ErrorType } from './denial.ts';

/** Reading this list top to bottom is reading the order of checks (design section 4); what else is wrong goes into `details.also`. */
export const PRIORITY: readonly ErrorType[] = [
  'GUARD_ERROR',
  'PROTECTED_PATH',
  'FENCE_MISSING',
  'STALE_FILE',
  'UNREAD_FILE',
  'DEADLOCK',
  'LOCKED_BY_OTHER',
  'WORK_OF_OTHERS',
  'NOT_LOCKED',
  'WRITE_IN_FLIGHT',
  'UNRESOLVED_TARGET',
];
