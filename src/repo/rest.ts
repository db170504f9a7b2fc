import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for this long, or until the signal is aborted. */
export const rest = (duration_ms: number, signal: AbortSignal): Promise<void> =>
  sleep(duration_ms, undefined, { signal }).catch(() => undefined);
