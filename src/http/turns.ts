/**
 * Handles one request after the other, and lets the event loop look at the network in between. Otherwise all pending
 * requests would be handled before the next connection is accepted, and under load newcomers would wait for seconds.
 */
export function openTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
