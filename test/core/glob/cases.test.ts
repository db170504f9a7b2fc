/** The meaning of single patterns, both common ones and ones that no one should write. */
import { describe, expect, it } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { intersects } from '../../../src/core/glob/intersect.ts';
import { matchesGlob } from '../../../src/core/glob/match.ts';
import { GLOB_LIMITS, parseGlob } from '../../../src/core/glob/parse.ts';

const matches = (pattern: string, path: string): boolean => matchesGlob(parseGlob(pattern), path);
const meet = (a: string, b: string): boolean => intersects(parseGlob(a), parseGlob(b));

function codeOf(pattern: string): string {
  try {
    parseGlob(pattern);
    return 'none';
  } catch (error) {
    return isGuardError(error) ? error.code : String(error);
  }
}

describe('a pattern', () => {
  it.each([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/er/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['src/**/*.ts', 'src/a.ts', true],
    ['./src//a.ts', 'src/a.ts', true],
    ['**/*.test.ts', 'a.test.ts', true],
    ['*', '.env', true],
    ['src/{a,b}.{ts,js}', 'src/b.js', true],
    ['src/{a,{b,c}}/x', 'src/c/x', true],
    ['{a}', '{a}', true],
    ['[!a-c]x', 'dx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]', ']', true],
    ['[a-]', '-', true],
    ['[', '[', true],
    ['a[/]b', 'a[/]b', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['?', '\u{1f600}', true],
    ['src', 'src/a', false],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it.each([
    ['src/a*', 'src/ab*', true],
    ['src/*a', 'src/*b', false],
    ['src/*.ts', 'src/*.js', false],
    ['src/a', 'src/abc', false],
    ['src/router*', 'src/route*', true],
    ['**/a', 'b/**', true],
    ['a/**/z', 'a/b/*', true],
    ['[a-f]*', '[f-z]*', true],
    ['[!a]', '[!b]', true],
    ['[a]', '[!a]', false],
    ['*', '**', true],
    ['src/*', 'src/**/deep/*', false],
  ])('%s meets %s: %s', (a, b, expected) => {
    expect([meet(a, b), meet(b, a)]).toEqual([expected, expected]);
  });
});

describe('a pattern that is refused', () => {
  it.each([
    [''],
    ['{,}'],
    ['../secret'],
    ['a/{b,..}/c'],
    ['a\0b'],
    ['a\ud800b'],
    ['[z-a]'],
    ['x'.repeat(GLOB_LIMITS.chars + 1)],
    ['{a,b}'.repeat(7)],
    ['{a,b}'.repeat(100)],
    [`{${','.repeat(400)}`.repeat(1) + '}'.repeat(60)],
    [`${'a'.repeat(200)}{1,2,3,4,5,6,7,8,9,10,11,12}`],
  ])('%j has the code GUARD_ERR_GLOB', (pattern) => {
    expect(codeOf(pattern)).toBe('GUARD_ERR_GLOB');
  });
});

describe('the hardest patterns that are allowed', () => {
  const stars = '*a'.repeat(GLOB_LIMITS.chars / 2 - 1);
  const deep = '**/*/'.repeat(GLOB_LIMITS.chars / 5 - 1);
  const braces = `{${Array.from({ length: 50 }, (_, n) => `*${n}*a*b?`).join(',')}}`;
  const nested = '{a,'.repeat(60) + 'b' + '}'.repeat(60);

  it.each([
    ['stars', stars, `${stars}b`],
    ['directories', `${deep}x`, `${deep}y`],
    ['braces', braces, braces.replaceAll('a', 'z')],
    ['nested braces', nested, `${nested}x`],
  ])('are compared at once: %s', (_, a, b) => {
    // Processor time, because other processes may slow the wall clock.
    const begun = process.cpuUsage();
    meet(a, b);
    expect(process.cpuUsage(begun).user).toBeLessThan(250_000);
  });
});
