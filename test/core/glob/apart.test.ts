/** The quick check must never say no when the exact answer is yes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areApart, literalEnd } from '../../../src/core/glob/apart.ts';
import { intersects } from '../../../src/core/glob/intersect.ts';
import { matchesGlob } from '../../../src/core/glob/match.ts';
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

const ending = fc
  .tuple(pattern, fc.constantFrom('', '.md', '{a,b}.md', '*.', '/.', '\\*', '[ab]b', 'b]', '{b', ',b}'))
  .map(([text, end]) => text + end)
  .filter((text) => {
    try {
      return parseGlob(text).text === text;
    } catch {
      return false;
    }
  });
const names = fc.constantFrom('a', 'b', 'ab', 'a.md', 'b.md', '.', 'a*', 'ab]', 'a{b', 'a.', '.a');
const path = fc.array(names, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));

describe('what a glob ends with', () => {
  it('is the end of every path that it matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(ending, path, (text, one) => {
        if (!matchesGlob(parseGlob(text), one)) return;
        matched++;
        expect([text, one, one.endsWith(literalEnd(text))]).toEqual([text, one, true]);
      }),
      { numRuns: 6_000, seed: 1 },
    );
    expect(matched).toBeGreaterThan(100);
  });

  it.each([
    ['**/*.md', '.md'],
    ['src/**', ''],
    ['src/', ''],
    ['src/.', ''],
    ['{a,b}.ts', '.ts'],
    ['{a,b}', ''],
    ['a/b.ts', 'b.ts'],
  ])('%s: %s', (glob, end) => {
    expect(literalEnd(glob)).toBe(end);
  });
});

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
