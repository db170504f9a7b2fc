/** Precedence of versions according to semver.org 2.0.0 (section 11), without build metadata. */

/** Negative if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(split) as [Parts, Parts];
  for (const at of [0, 1, 2]) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

interface Parts {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

function split(version: string): Parts {
  const [plain = ''] = version.split('+');
  const dash = plain.indexOf('-');
  const [numbers, prerelease] = dash < 0 ? [plain, ''] : [plain.slice(0, dash), plain.slice(dash + 1)];
  return {
    numbers: numbers.split('.').map((part) => Number.parseInt(part, 10) || 0),
    prerelease: prerelease === '' ? [] : prerelease.split('.'),
  };
}

/** A release is newer than its prereleases; numbers are older than words; fewer parts are older. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    const difference = compareParts(left, right);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const [left = null, right = null] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : null));
  if (left !== null && right !== null) return left - right;
  if (left !== null || right !== null) return left === null ? 1 : -1;
  return a < b ? -1 : Number(a > b);
}
