/** A quick check before the exact answer of intersect.ts: most globs differ before their first wildcard. */

/** True: no path matches both. False proves nothing. */
export function areApart(a: string, b: string): boolean {
  const [one, other] = [beginningOf(a), beginningOf(b)];
  const chars = Math.min(one.length, other.length);
  return one.slice(0, chars) !== other.slice(0, chars);
}

/** What a path that the glob matches ends with: the plain text after the last wildcard. */
export function literalEnd(glob: string): string {
  const end = glob.slice(glob.search(/[^*?[\]{}\\/]*$/));
  return end === '.' ? '' : end;
}

/** The leading names that are plain text, each with its slash. '' if names may be left out. */
function beginningOf(glob: string): string {
  const at = glob.search(/[*?[\]{}\\]/);
  const text = at < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', at) + 1);
  return /(?:^|\/)\.?(?:\/|$)/.test(text.replace(/\/$/, '')) ? '' : text;
}
