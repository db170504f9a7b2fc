/** In which order checkouts would be merged with the fewest stops. Pure. By pairs: what two clean ones make of a third is not told. */

export interface Order {
  /** They merge clean, one after the other. */
  readonly first: readonly string[];
  /** Each stops at one of those before it, or at the trunk. */
  readonly then: readonly string[];
}

/** Meets many others: merged early, each of them has to follow it; merged late, it has to follow all of them. */
export interface Hub {
  readonly id: string;
  readonly meets: number;
}

type IdPair = readonly [a: string, b: string];

/** @param stopped those that do not merge with the trunk */
export function orderOf(ids: readonly string[], stopped: ReadonlySet<string>, bad: readonly IdPair[]): Order {
  const left = new Set(ids.filter((id) => !stopped.has(id)));
  const first: string[] = [];
  while (left.size > 0) {
    const meets = countsOf(bad.filter((pair) => pair.every((id) => left.has(id))));
    const [next = ''] = [...left].sort(
      (x, y) => (meets.get(x) ?? 0) - (meets.get(y) ?? 0) || (x < y ? -1 : 1),
    );
    left.delete(next);
    first.push(next);
    for (const [a, b] of bad) if (a === next || b === next) left.delete(a === next ? b : a);
  }
  const meets = countsOf(bad);
  const then = ids
    .filter((id) => !first.includes(id))
    .sort((x, y) => (meets.get(x) ?? 0) - (meets.get(y) ?? 0) || (x < y ? -1 : 1));
  return { first, then };
}

const HUB_MIN = 3;

/** Those that meet three others or more, and twice as many as is usual. */
export function hubsOf(ids: readonly string[], bad: readonly IdPair[]): readonly Hub[] {
  const meets = countsOf(bad);
  const usual = ids.length === 0 ? 0 : (2 * bad.length) / ids.length;
  return [...meets]
    .filter(([, count]) => count >= HUB_MIN && count >= 2 * usual)
    .map(([id, count]) => ({ id, meets: count }))
    .sort((x, y) => y.meets - x.meets || (x.id < y.id ? -1 : 1));
}

function countsOf(pairs: readonly IdPair[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of pairs.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
