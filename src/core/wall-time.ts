/** Moments of a monotonic clock, converted to the wall clock for people. */
import { rfc3339 } from './rfc3339.ts';
import type { Hold, Now } from './types.ts';

/**
 * Uses the present wall clock. If that was set since the moment was recorded, the recorded wall time would match no
 * one's `date`, and a future event would appear to be in the past, or hours away.
 */
export const wallAt = (mono_ms: number, now: Now): string => rfc3339(now.wall_ms + mono_ms - now.mono_ms);

/** When a lease ends. On another boot's clock, only the difference from the grant is meaningful. */
export const leaseEnd = (ends_mono_ms: number, hold: Hold, now: Now): string =>
  hold.boot === now.boot
    ? wallAt(ends_mono_ms, now)
    : rfc3339(hold.since_wall_ms + ends_mono_ms - hold.since_mono_ms);
