/**
 * Whether two globs have a path in common: both are automata, and their product is searched for a path that both
 * accept. Exact in both directions, so a reservation is refused when it must be and only then.
 *
 * Two levels: names within a path (`**` takes any number of them) and characters within a name (so does `*`). A path
 * is a glob without wildcards; whether a path matches is the same question, which match.ts answers faster.
 */
import { type Glob, type GlobToken, meet, type Segment } from './pattern.ts';

export function intersects(a: Glob, b: Glob): boolean {
  return a.alternatives.some((one) => b.alternatives.some((other) => pathsMeet(one, other)));
}

function pathsMeet(a: readonly Segment[], b: readonly Segment[]): boolean {
  return reaches<Segment>(a, b, '**', namesMeet);
}

/** A name has at least one character; two names made only of `*` share one too. */
function namesMeet(a: Segment, b: Segment): boolean {
  if (a === '**' || b === '**') return false;
  return reaches<GlobToken>(a, b, '*', (one, other) => one !== '*' && other !== '*' && meet(one, other));
}

/**
 * The product of two sequences in which `wild` stands for any number of elements, including none. Row by row, `now[j]`
 * says whether the parts before `a[i]` and `b[j]` can be equal.
 */
function reaches<T>(
  a: readonly T[],
  b: readonly T[],
  wild: T,
  equal: (one: T, other: T) => boolean,
): boolean {
  let now = b.map(() => false);
  now.unshift(true);
  for (let i = 0; i <= a.length; i++) {
    // Most globs diverge at their first names.
    if (!now.includes(true)) return false;
    const one = a[i];
    const next = now.map(() => false);
    for (let j = 0; j <= b.length; j++) {
      if (now[j] !== true) continue;
      const other = b[j];
      // A wildcard that takes nothing more, or one more element of the other side.
      if (other === wild && j < b.length) now[j + 1] = true;
      if (one === wild && i < a.length) next[j] = true;
      if (i >= a.length || j >= b.length) continue;
      if (one === wild) now[j + 1] = true;
      else if (other === wild) next[j] = true;
      else if (one !== undefined && other !== undefined && equal(one, other)) next[j + 1] = true;
    }
    if (i === a.length) return now[b.length] === true;
    now = next;
  }
  return false;
}
