/**
 * One request after the other, with a look at the network between two. Without it all requests that are there are worked off before
 * one more connection is taken, and under load newcomers wait for seconds.
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
