/** Who asks while it is being done gets the same answer. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  const doing: { now: Promise<T> | null } = { now: null };
  return () => (doing.now ??= work().finally(() => (doing.now = null)));
}
