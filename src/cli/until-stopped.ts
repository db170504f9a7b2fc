/** Runs until it is done, or until Ctrl-C or SIGTERM asks it to end. Leaves no handler behind. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
