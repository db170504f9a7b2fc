import { setTimeout as sleep } from 'node:timers/promises';
import { isGuardError } from '../core/error.ts';
import { isBusy, isDiskFull } from '../core/is-busy.ts';

const PAUSE_MS = 2_000;
/** Anything else is not cured by waiting. */
const TRIES = 60;
/** A full disk, a lock that a stopped process holds, a database that is down or was restored: a person notices within a day. */
const TRIES_PASSING = (24 * 3_600_000) / PAUSE_MS;

const OF_ENGINE = ['GUARD_ERR_ENGINE_AWAY', 'GUARD_ERR_ENGINE_RESTORED'];

const isPassing = (error: unknown): boolean =>
  isDiskFull(error) || isBusy(error) || (isGuardError(error) && OF_ENGINE.includes(error.code));

/** Retries what must be recorded: for a day if the ledger cannot be written at the moment, for two minutes otherwise. */
export async function patiently<T>(
  work: () => T,
  pause: () => Promise<void> = () => sleep(PAUSE_MS),
): Promise<T> {
  // Counted apart: an hour of waiting for the ledger is not an attempt that failed for another reason.
  for (let passing = 0, others = 0; ;) {
    try {
      return work();
    } catch (error) {
      if (isPassing(error)) passing += 1;
      else others += 1;
      if (passing >= TRIES_PASSING || others >= TRIES) throw error;
      await pause();
    }
  }
}
