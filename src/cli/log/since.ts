/** `--since`: a duration, a date or an lsn. */
import { parseDuration } from '../../config/duration.ts';
import { readNow } from '../../repo/clock.ts';
import type { scanSince } from '../../store/upkeep.ts';

export type Since = Parameters<typeof scanSince>[1];

export function sinceOf(since: string | undefined): Since | null {
  if (since === undefined) return null;
  if (/^\d+$/.test(since)) return { lsn: Number(since) };
  const duration_ms = parseDuration(since);
  return { wall_ms: duration_ms === null ? Date.parse(since) : readNow().wall_ms - duration_ms };
}
