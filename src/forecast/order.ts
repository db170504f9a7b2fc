/** The order of merging checkouts that causes the fewest stops. Pure. Considers pairs only, not what two clean ones do to a third. */

export interface Order {
  /** They merge cleanly, one after the other. */
  readonly first: readonly string[];
  /** Each conflicts with one of those before it, or with the trunk. */
  readonly then: readonly string[];
}

/** Conflicts with many others: merged early, all of them must adapt to it; merged late, it must adapt to all of them. */
export interface Hub {
  readonly id: string;
  readonly meets: number;
}

type IdPair = readonly [a: string, b: string];

/** @param stopped the checkouts that conflict with the trunk */
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

/** Checkouts that conflict with at least three others, and at least twice the average number. */
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
