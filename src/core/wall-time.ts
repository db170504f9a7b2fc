/** Moments of a monotonic clock as the wall clock shows them, for people. */
import { rfc3339 } from './rfc3339.ts';
import type { Hold, Now } from './types.ts';

/**
 * By the wall clock as it is now: set forward or back since then, it would show a moment beside which nobody's `date` is right, and
 * what is to come would seem to be over, or hours away.
 */
export const wallAt = (mono_ms: number, now: Now): string => rfc3339(now.wall_ms + mono_ms - now.mono_ms);

/** When a lease ends. On another boot's clock only the difference to the grant means anything. */
export const leaseEnd = (ends_mono_ms: number, hold: Hold, now: Now): string =>
  hold.boot === now.boot
    ? wallAt(ends_mono_ms, now)
    : rfc3339(hold.since_wall_ms + ends_mono_ms - hold.since_mono_ms);
