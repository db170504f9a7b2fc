/** Calls `make` once per name. */
export function memo<A, B extends unknown[], V>(
  nameOf: (given: A) => unknown,
  make: (given: A, ...more: B) => V,
): (given: A, ...more: B) => V {
  const known = new Map<unknown, V>();
  return (given, ...more) => {
    const name = nameOf(given);
    if (!known.has(name)) known.set(name, make(given, ...more));
    return known.get(name) as V;
  };
}
