/**
 * A glob, as text and as its parsed meaning.
 *
 * `*` matches any run of characters within one name, `?` one character, `[a-z]` and `[!a-z]` one of a set, `{a,b}`
 * either, and `**` as a whole name any number of directories, including none. Names that begin with a dot are not
 * special: a lock that overlooks `.env` protects nothing.
 */

/** Sorted, disjoint ranges of code points; never includes `/`. */
export type CharSet = readonly (readonly [number, number])[];
/** `*`, or one character of a set. */
export type GlobToken = '*' | CharSet;
/** One name of a path, or `**`. */
export type Segment = '**' | readonly GlobToken[];

export interface Glob {
  readonly text: string;
  /** The expansions of its braces, each without braces; a path matches if it matches one of them. */
  readonly alternatives: readonly (readonly Segment[])[];
}

const LAST = 0x10ffff;
const SLASH = 0x2f;

/** Every character that a name can contain. */
export const ANY: CharSet = [
  [0, SLASH - 1],
  [SLASH + 1, LAST],
];

export const single = (char: string): CharSet => {
  const code = char.codePointAt(0) ?? 0;
  return [[code, code]];
};

/** Sorted, merged, and without `/`. */
export function setOf(ranges: CharSet): CharSet {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined.flatMap(([from, to]) => without(from, to));
}

function without(from: number, to: number): (readonly [number, number])[] {
  if (to < SLASH || from > SLASH) return [[from, to]];
  const parts: (readonly [number, number])[] = [
    [from, SLASH - 1],
    [SLASH + 1, to],
  ];
  return parts.filter(([low, high]) => low <= high);
}

export function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return setOf(gaps);
}

/** Whether the sets have a character in common. */
export function meet(a: CharSet, b: CharSet): boolean {
  for (let i = 0, j = 0; ;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return false;
    if (one[1] < other[0]) i++;
    else if (other[1] < one[0]) j++;
    else return true;
  }
}

/** The only name that a segment matches; `null` if it matches several or none. */
export function literalOf(segment: Segment): string | null {
  if (segment === '**') return null;
  const chars = segment.map((token) =>
    token !== '*' && token.length === 1 && token[0]?.[0] === token[0]?.[1] ? (token[0]?.[0] ?? -1) : -1,
  );
  return chars.includes(-1) ? null : String.fromCodePoint(...chars);
}
