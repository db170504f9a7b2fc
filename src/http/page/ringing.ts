/** Waits for the next of many changes, and counts several simultaneous ones as one. */

/** Resolves at the next change after the last call, at the next tick, or when aborted. */
export function ringing(
  changes: AsyncIterable<unknown>,
  signal: AbortSignal,
  tick_ms: number,
): () => Promise<void> {
  let rung = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  void (async () => {
    const each = changes[Symbol.asyncIterator]();
    while ((await each.next()).done !== true) ring();
  })().catch(() => undefined);
  return async () => {
    const tick = setTimeout(ring, tick_ms);
    if (!rung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    clearTimeout(tick);
    rung = false;
  };
}
