/** The only place that reads a clock. */
import { readFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Now } from '../core/types.ts';
import { deadlinePassed } from './deadline-passed.ts';
import { bootId } from './machine.ts';

/** Monotonic milliseconds of this process's clock (CLOCK_MONOTONIC on Linux). */
export function monotonic(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** The same in microseconds, for sorting. */
export const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n);

const NO_OFFSET = 'monotonic           0         0\n';

/**
 * The offset that a time namespace adds to CLOCK_MONOTONIC (time_namespaces(7)). Containers of one kernel share its
 * boot id, so they must count from the same zero to share a ledger. Format: `monotonic  <seconds>  <nanoseconds>`.
 */
const namespaceOffset_ms = (): number =>
  attempt(() => {
    const text = readFileSync('/proc/self/timens_offsets', 'utf8');
    // Nearly always, and then no pattern needs to be compiled.
    if (text.startsWith(NO_OFFSET)) return 0;
    const [, seconds = '0', nanoseconds = '0'] = /^monotonic\s+(-?\d+)\s+(\d+)/m.exec(text) ?? [];
    return Number(seconds) * 1000 + Math.floor(Number(nanoseconds) / 1e6);
  }, 0);

/**
 * `mono_ms` is comparable between all processes of one boot; on Linux it excludes suspended time. Boot and namespace
 * do not change during the life of a process and take 0.2 ms to look up, so a process that reads the clock more than
 * once opens one.
 */
export function openClock(): () => Now {
  const offset_ms = namespaceOffset_ms();
  const boot = bootId();
  return () => ({ mono_ms: monotonic() - offset_ms, boot, wall_ms: Date.now() });
}

/** For comparisons with file times. */
export const wallMs = (): number => Date.now();

export const readNow = (): Now => openClock()();

/** The returned function throws GUARD_ERR_DEADLINE once `limit_ms` have passed. */
export function deadlineAfter(limit_ms: number): () => void {
  const start = process.hrtime.bigint();
  const limit_ns = BigInt(Math.ceil(limit_ms * 1e6));
  return () => {
    const spent_ns = process.hrtime.bigint() - start;
    if (spent_ns < limit_ns) return;
    throw deadlinePassed(Math.round(Number(spent_ns) / 1e6), limit_ms);
  };
}
