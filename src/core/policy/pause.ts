/** `guard off --for 10m`: a person lets every write pass for a while. What counts as a pause, and where. */
import type { Now } from '../types.ts';

export interface Off {
  readonly since_wall_ms: number;
  readonly until_wall_ms: number;
  /** Who, for people. */
  readonly by: string;
}

/** Nobody means to be unguarded for longer; a longer file was not written by guard. */
export const MAX_OFF_MS = 24 * 3_600_000;

/**
 * Null when guard is on. Whatever is not clearly a running pause counts as on: what is no pause at all, one that ended, one
 * that is longer than guard makes them, one that begins in the future (the clock was set back).
 * @param said what stands in the file, as parsed
 */
export function runningPause(said: unknown, { wall_ms }: Pick<Now, 'wall_ms'>): Off | null {
  const { since_wall_ms, until_wall_ms, by } = (said ?? {}) as Partial<Record<keyof Off, unknown>>;
  if (typeof since_wall_ms !== 'number' || typeof until_wall_ms !== 'number') return null;
  const is_running = since_wall_ms <= wall_ms && wall_ms < until_wall_ms;
  if (!is_running || until_wall_ms - since_wall_ms > MAX_OFF_MS) return null;
  return { since_wall_ms, until_wall_ms, by: typeof by === 'string' ? by : 'unknown' };
}

/** A pause counts for the repository it was made in, and from there (`home`) for files that no repository guards. */
export const pausedBy = <T extends { readonly repo: { readonly initialised: boolean } }>(
  of: T,
  home: T,
): T => (of.repo.initialised ? of : home);
