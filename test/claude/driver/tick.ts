/**
 * A hook in a warm process, or in the test's own, answers within one tick of the file clock, faster than any client:
 * a change that a person makes afterwards must get a later tick.
 */

/** 4 ms on most kernels, 10 ms at most. */
const TICK_MS = 10;

let answered_ms = -TICK_MS;

/** Notes that a hook has answered. */
export function answered(): void {
  answered_ms = performance.now();
}

export function afterThisTick(): void {
  const left_ms = answered_ms + TICK_MS - performance.now();
  if (left_ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left_ms);
}
