/** The quick check must never say no when the exact answer is yes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areApart } from '../../../src/core/glob/apart.ts';
import { intersects } from '../../../src/core/glob/intersect.ts';
import { parseGlob } from '../../../src/core/glob/parse.ts';
import { pathPattern } from './oracle.ts';

/** Includes untidy patterns that the exact answer normalizes: extra slashes, `.`, escapes, a trailing slash. */
const untidy = fc
  .array(fc.constantFrom('a', 'ab', '.', '', '*', '**', 'a*', '\\a', '[ab]', '{a,b}', '{a/b,c}', '.a'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((names) => names.join('/'))
  .filter((text) => {
    try {
      return parseGlob(text).text === text;
    } catch {
      return false;
    }
  });

const pattern = fc.oneof(pathPattern, untidy);

describe('two globs that are apart', () => {
  it('have no path in common', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        fc.pre(areApart(a, b));
        expect([a, b, intersects(parseGlob(a), parseGlob(b))]).toEqual([a, b, false]);
        expect(areApart(b, a)).toBe(true);
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });

  it.each([
    ['src/a/**', 'src/b/**', true],
    ['src/a/*.ts', 'src/b', true],
    ['src/a', 'src/b', true],
    ['srcs/a', 'src/**', true],
    ['src/**', 'src', false],
    ['src/', 'src/a', false],
    ['a//b', 'a/b', false],
    ['./a', 'a', false],
    ['*/a', 'b/c', false],
    ['src/{a,b}', 'src/b', false],
  ])('%s and %s: %s', (a, b, answer) => {
    expect(areApart(a, b)).toBe(answer);
    expect(areApart(b, a)).toBe(answer);
  });
});
