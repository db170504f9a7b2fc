/** A call during the work gets the same result. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  const doing: { now: Promise<T> | null } = { now: null };
  return () => (doing.now ??= work().finally(() => (doing.now = null)));
}
