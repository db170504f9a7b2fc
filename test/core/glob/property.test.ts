/** Matching and intersection compared with enumeration, and matching compared with another implementation. */
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { intersects } from '../../../src/core/glob/intersect.ts';
import { matchesGlob } from '../../../src/core/glob/match.ts';
import { type Glob, single } from '../../../src/core/glob/pattern.ts';
import { parseGlob } from '../../../src/core/glob/parse.ts';
import { all, namePattern, pathPattern, regexOf } from './oracle.ts';

const NAMES = all(['a', 'b'], 8);
const PATHS = all(['a', 'b', 'c', 'd'], 6, '/');

describe('two globs meet exactly when a path matches both', () => {
  it.each([
    ['of one name, over every name of up to 8 letters', namePattern, NAMES],
    ['of several names, over every path of up to 6 names', pathPattern, PATHS],
  ])('%s', (_, pattern, paths) => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const [one, other] = [regexOf(a), regexOf(b)];
        const witness = paths.find((path) => one.test(path) && other.test(path));
        expect([a, b, intersects(parseGlob(a), parseGlob(b))]).toEqual([a, b, witness !== undefined]);
        expect(intersects(parseGlob(b), parseGlob(a))).toBe(witness !== undefined);
      }),
      { numRuns: 1_500, seed: 1 },
    );
  });

  it('with both yes and no among the cases', () => {
    const answers = fc
      .sample(fc.tuple(pathPattern, pathPattern), { numRuns: 500, seed: 2 })
      .map(([a, b]) => intersects(parseGlob(a), parseGlob(b)));
    expect(answers.filter((yes) => yes).length).toBeGreaterThan(50);
    expect(answers.filter((yes) => !yes).length).toBeGreaterThan(50);
  });
});

describe('a path matches a glob', () => {
  it.each([
    ['of one name', namePattern, all(['a', 'b'], 5)],
    ['of several names', pathPattern, all(['a', 'b', 'c'], 4, '/')],
  ])('%s exactly when picomatch says so', (_, pattern, paths) => {
    fc.assert(
      fc.property(pattern, (text) => {
        // For both, "a/**" also matches "a"; after a wildcard, picomatch requires one more name.
        fc.pre(!/[^a-z]\/\*\*$/.test(text));
        // picomatch negates sets as regular expressions do.
        const is = picomatch(text.replaceAll('[!', '[^'), { dot: true });
        const glob = parseGlob(text);
        const differ = paths.filter((path) => matchesGlob(glob, path) !== is(path));
        expect([text, differ]).toEqual([text, []]);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('exactly when it meets the glob of that path alone, whatever its characters are', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é', '😀', '\ud83d'), maxLength: 5 });
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const part = fc.constantFrom(
      'a',
      'b',
      'é',
      '😀',
      '*',
      '**',
      '?',
      '[!a]',
      '[a-é]',
      '[😀]',
      '/',
      '/**/',
      '{a,*b}',
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `a${parts.join('')}`);
    const alone = (text: string): Glob => ({
      text,
      alternatives: [text.split('/').map((one) => Array.from(one, single))],
    });
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (text, of) => {
        const glob = parseGlob(text);
        const file = `a${of}`;
        if (matchesGlob(glob, file)) matched++;
        expect([text, file, matchesGlob(glob, file)]).toEqual([text, file, intersects(glob, alone(file))]);
      }),
      { numRuns: 5000, seed: 4 },
    );
    expect(matched).toBeGreaterThan(100);
  });
});
