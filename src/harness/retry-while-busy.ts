import { setTimeout as sleep } from 'node:timers/promises';

/** The ledger may be busy, or the disk full for a while; what has to be recorded is tried again for two minutes. */
const TRIES = 60;
const PAUSE_MS = 2_000;

export async function patiently<T>(work: () => T): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return work();
    } catch (error) {
      if (n === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
