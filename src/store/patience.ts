/** Waiting for a ledger that others are using, without blocking the thread. */
import { isBusy } from '../core/is-busy.ts';
import { busy } from './told-failure.ts';

/** How long one call waits for other processes, unless the signal is aborted first. */
export interface Patience {
  readonly deadline_ms: number;
  readonly signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 0.2;
const LAST_PAUSE_MS = 8;
/** Used once a wait has lasted longer than any well-behaved transaction takes. */
const LONG_PAUSE_MS = 25;
const LONG_AFTER_MS = 2_000;

/** Pauses grow and are randomised, so that racing processes do not retry in step. */
const scattered = (pause_ms: number): number => pause_ms * (0.5 + Math.random());

/**
 * @param attempt must not wait itself (`wait_ms: 0`)
 * @throws GuardError GUARD_ERR_BUSY at the deadline, or when the signal is aborted before
 */
export async function whileBusy<T>(
  attempt: () => T,
  { deadline_ms, signal }: Patience,
  mono_ms: () => number,
): Promise<T> {
  const begun_ms = mono_ms();
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.6, LAST_PAUSE_MS)) {
    let pid: unknown;
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      pid = error.facts['pid'];
    }
    const waited_ms = mono_ms() - begun_ms;
    if (signal?.aborted === true || waited_ms >= deadline_ms)
      throw busy(deadline_ms, typeof pid === 'number' ? pid : null);
    const longest_ms = waited_ms >= LONG_AFTER_MS ? LONG_PAUSE_MS : pause_ms;
    await new Promise((resolve) => setTimeout(resolve, scattered(longest_ms)));
  }
}
