/** Numbers below `limit`; the same seed gives the same numbers. */
export type Random = (limit: number) => number;

export function seeded(seed: number): Random {
  let state = seed === 0 ? 1 : seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
