import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from '../core/is-busy.ts';

const PAUSE_MS = 2_000;
/** A busy ledger is free by then, or something else is wrong. */
const TRIES = 60;
/** A full disk has room once a person has noticed. */
const TRIES_FULL = (24 * 3_600_000) / PAUSE_MS;

/** Retries what must be recorded: for two minutes, or for a day if the disk is full. */
export async function patiently<T>(work: () => T): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return work();
    } catch (error) {
      if (n >= (isDiskFull(error) ? TRIES_FULL : TRIES)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
