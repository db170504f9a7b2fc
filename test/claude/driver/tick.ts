/**
 * A hook in a process that is there already, or in the test's own, answers within a tick of the clock of files, which no
 * client can follow: what a person changes after it comes in a later one.
 */

/** 4 ms on most kernels, 10 at worst. */
const TICK_MS = 10;

let answered_ms = -TICK_MS;

/** A hook has answered. */
export function answered(): void {
  answered_ms = performance.now();
}

export function afterThisTick(): void {
  const left_ms = answered_ms + TICK_MS - performance.now();
  if (left_ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left_ms);
}
