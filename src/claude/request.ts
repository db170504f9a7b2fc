/**
 * The request of a launcher (native/warm.c): the event goes to a server, and to a separate process if the server dies on it.
 * Both commit under the same ids, so neither commits again what the other has committed.
 */

/** Empty if the hook was started without a launcher, so the event is sent only once. */
export function requestIn(argv: readonly string[]): string {
  const last = argv.at(-1) ?? '';
  return last.startsWith('warm:') ? (/^warm:([0-9a-f]{20})$/.exec(last)?.[1] ?? '') : '';
}

/** One hook event may run several rule events of one kind; every process runs them in the same order. */
export function idsOf(request: string): (type: string) => string {
  const seen: Record<string, number> = {};
  return (type) => `${request}.${type}.${(seen[type] = (seen[type] ?? 0) + 1)}`;
}
