/** Groups items by key, in the order of each group's first item. */
export function grouped<T, K>(
  all: Iterable<T>,
  keyOf: (one: T) => K,
): ReadonlyMap<K, readonly [T, ...(readonly T[])]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
