/**
 * The request of a launcher (native/warm.c): the event goes to a server, and to a process of its own where that dies on it. Both
 * commit under the same ids, so what the one has committed the other does not commit again.
 */
import type { Named } from '../workspace/shared-ledger.ts';

/** Undefined: the hook was started without a launcher, and the event comes once. */
export function requestIn(argv: readonly string[]): Named | undefined {
  const [, request] = /^warm:([0-9a-f]{20})$/.exec(argv.at(-1) ?? '') ?? [];
  return request === undefined ? undefined : namedBy(request);
}

/** An event of one kind may be run several times while one hook event is answered: in the same order, whoever does it. */
export function namedBy(request: string): Named {
  const seen: Record<string, number> = {};
  return (type) => ({ id: `${request}.${type}.${(seen[type] = (seen[type] ?? 0) + 1)}` });
}
