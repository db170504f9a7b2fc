/** The clock that keeps running while the machine sleeps. */
import { readFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Now } from '../core/types.ts';

/** One reading of all clocks of this machine. `boot_ms`: time since it started, including sleep. */
export interface BootMoment {
  readonly boot_ms: number;
  readonly mono_ms: number;
  readonly wall_ms: number;
}

/** The offset of a time namespace (time_namespaces(7)). Removed so that all processes of a boot count from the same zero. */
const offset_ms = (): number =>
  attempt(() => {
    const text = readFileSync('/proc/self/timens_offsets', 'utf8');
    const [, seconds = '0', nanoseconds = '0'] = /^boottime\s+(-?\d+)\s+(\d+)/m.exec(text) ?? [];
    return Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
  }, 0);

/** CLOCK_BOOTTIME on Linux, to 10 ms; on macOS the wall clock since the boot. */
export function openMoments(now: () => Now): () => BootMoment {
  const os = process.getBuiltinModule('node:os');
  const zero_ms = offset_ms();
  return () => {
    const { mono_ms, wall_ms } = now();
    return { boot_ms: os.uptime() * 1000 - zero_ms, mono_ms, wall_ms };
  };
}

/** Granularity of the system's uptime. */
const GRAIN_MS = 1_100;

/**
 * Minimum time since `then`, from the clock that says most: only the wall clock notices a pause of a virtual machine.
 * Null if the uptime is another machine's or container's, which happens if a file in /proc is not the kernel's own.
 */
export function elapsedSince(then: BootMoment, at: BootMoment): number | null {
  const [boot_ms, mono_ms] = [at.boot_ms - then.boot_ms, at.mono_ms - then.mono_ms];
  if (boot_ms < -GRAIN_MS || mono_ms < -GRAIN_MS || boot_ms < mono_ms - GRAIN_MS) return null;
  return Math.max(0, boot_ms, mono_ms, at.wall_ms - then.wall_ms);
}
