/**
 * `guard off --for 10m`: a person lets every write pass for a while. A file in the state directory, so it counts for
 * every session of the repository at once, and ends by itself. Loaded by the hook bundle.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Now } from '../core/types.ts';
import { textOf } from '../repo/small-file.ts';

export interface Off {
  readonly since_wall_ms: number;
  readonly until_wall_ms: number;
  /** Who, for people. */
  readonly by: string;
}

export const OFF_FILE = 'off.json';

/** Nobody means to be unguarded for longer; a longer file was not written by guard. */
export const MAX_OFF_MS = 24 * 3_600_000;

/**
 * Null when guard is on. Whatever is not clearly a running pause counts as on: an unreadable or foreign file, one that
 * ended, one that is longer than guard makes them, one that begins in the future (the clock was set back).
 */
export function readOff(stateDir: string, now: Now, name: string = OFF_FILE): Off | null {
  const off = parse(join(stateDir, name));
  if (off === null) return null;
  const isRunning = off.since_wall_ms <= now.wall_ms && now.wall_ms < off.until_wall_ms;
  return isRunning && off.until_wall_ms - off.since_wall_ms <= MAX_OFF_MS ? off : null;
}

/** True when there was a pause to end. */
export function endOff(stateDir: string, now: Now): boolean {
  const was_off = readOff(stateDir, now) !== null;
  rmSync(join(stateDir, OFF_FILE), { force: true });
  return was_off;
}

function parse(file: string): Off | null {
  try {
    const uid = process.getuid?.();
    if (uid !== undefined && statSync(file).uid !== uid) return null;
    const value = JSON.parse(textOf(file) ?? 'null') as Partial<Record<keyof Off, unknown>> | null;
    const { since_wall_ms, until_wall_ms, by } = value ?? {};
    if (typeof since_wall_ms !== 'number' || typeof until_wall_ms !== 'number') return null;
    return { since_wall_ms, until_wall_ms, by: typeof by === 'string' ? by : 'unknown' };
  } catch {
    return null;
  }
}
