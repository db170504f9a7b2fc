/** Runs until it is done, or until Ctrl-C or SIGTERM asks it to end. Leaves no handler behind. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** A server, and a wait, ends with its terminal too. */
export const SERVER_SIGNALS: readonly NodeJS.Signals[] = [...SIGNALS, 'SIGHUP'];

export async function untilStopped<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
