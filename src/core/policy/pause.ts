/** `guard off --for 10m`: a person lets every write pass for a while. Defines what counts as a pause, and where. */
import type { Now } from '../types.ts';

export interface Off {
  readonly since_wall_ms: number;
  readonly until_wall_ms: number;
  /** The person, for display. */
  readonly by: string;
}

/** The longest pause; a file with a longer one was not written by guard. */
export const MAX_OFF_MS = 24 * 3_600_000;

/**
 * `null` if guard is on. Anything that is not clearly a running pause means on: not a pause at all, one that ended, one
 * longer than guard allows, or one that begins in the future (the clock was set back).
 * @param said the file's content, parsed
 */
export function runningPause(said: unknown, { wall_ms }: Pick<Now, 'wall_ms'>): Off | null {
  const { since_wall_ms, until_wall_ms, by } = (said ?? {}) as Partial<Record<keyof Off, unknown>>;
  if (typeof since_wall_ms !== 'number' || typeof until_wall_ms !== 'number') return null;
  const is_running = since_wall_ms <= wall_ms && wall_ms < until_wall_ms;
  if (!is_running || until_wall_ms - since_wall_ms > MAX_OFF_MS) return null;
  return { since_wall_ms, until_wall_ms, by: typeof by === 'string' ? by : 'unknown' };
}

/** A pause applies to its own repository; one made at `home` also applies to files outside every guarded repository. */
export const pausedBy = <T extends { readonly repo: { readonly initialised: boolean } }>(
  of: T,
  home: T,
): T => (of.repo.initialised ? of : home);
