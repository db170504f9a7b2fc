// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** "Did you mean": used only when an error is reported. */

/** Edit distance in which two swapped neighbours count as one error. */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of a.split('').entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replace = (row[j] ?? 0) + (char === b[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && char === b[j - 1] && a[i - 1] === b[j];
      const swap = isSwap ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replace, swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The nearest of `names`, if near enough to be what was meant. `releaseOn` and `release-on` count as near. */
export function nearest(given: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, far: distance(plain(given.slice(0, 64)), plain(name)) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : null;
}

/** ` Did you mean "x"?`, or the list of possible names. */
export function didYouMean(given: string, names: readonly string[]): string {
  const name = nearest(given, names);
  return name === null ? `Possible: ${names.map((it) => `"${it}"`).join(', ')}.` : `Did you mean "${name}"?`;
}
