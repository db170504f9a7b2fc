/**
 * Waiting for the ledger without holding up everybody else: an attempt gives up after a moment, and the next one comes later.
 * Only for what may be done twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isGuardError } from '../core/error.ts';

/** How long one attempt may block the thread. */
export const ATTEMPT_MS = 25;
/** How long attempts go on, together. */
const PATIENCE_MS = 4_000;
const FIRST_PAUSE_MS = 4;
const LAST_PAUSE_MS = 60;

export async function patiently<T>(
  mono_ms: () => number,
  signal: AbortSignal,
  work: () => T | Promise<T>,
): Promise<T> {
  const end_ms = mono_ms() + PATIENCE_MS;
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.6, LAST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || mono_ms() >= end_ms) throw error;
    }
    await sleep(pause_ms * (0.5 + Math.random()));
  }
}

const isBusy = (error: unknown): boolean => isGuardError(error) && error.code === 'GUARD_ERR_BUSY';
