import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so long, or until it is called off. */
export const rest = (duration_ms: number, signal: AbortSignal): Promise<void> =>
  sleep(duration_ms, undefined, { signal }).catch(() => undefined);
