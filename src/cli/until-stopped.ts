/** Runs until the work is done, or until Ctrl-C or SIGTERM asks it to end. Leaves no handler behind. */
import { onSignals } from '../repo/on-signals.ts';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** A server or a wait also ends with its terminal. */
export const SERVER_SIGNALS: readonly NodeJS.Signals[] = [...SIGNALS, 'SIGHUP'];

export async function untilStopped<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): Promise<T> {
  const stop = new AbortController();
  const deaf = onSignals(signals, () => stop.abort(), 'once');
  try {
    return await work(stop.signal);
  } finally {
    deaf();
  }
}
