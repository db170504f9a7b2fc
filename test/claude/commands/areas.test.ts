/** The places of an area contain every path that the area covers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaOf } from '../../../src/claude/commands/areas.ts';
import type { Located } from '../../../src/claude/events/targets.ts';

const name = fc.constantFrom('a', 'b', 'ab', '.e', 'ü', '[x]', 'x\ny', '*');
const rel = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const scope = fc.constantFrom('', '//wt/', '//in/');
const pattern = fc
  .array(fc.constantFrom('a', 'b', '*', '**', '{a,b}', '..', '?'), { minLength: 1, maxLength: 3 })
  .map((parts) => `/repo/${parts.join('/')}`);
const path = fc.oneof(
  fc.tuple(scope, rel).map((parts) => parts.join('')),
  fc.constantFrom('srv//a', '@git//stash', '/elsewhere/a/b'),
);

/** A checkout may be inside the main one. */
const spelled = (one: string): string =>
  one.startsWith('//in/')
    ? `/repo/a/in/${one.slice(5)}`
    : one.startsWith('//wt/')
      ? `/wt/${one.slice(5)}`
      : one.startsWith('/')
        ? one
        : `/repo/${one}`;

const isAt = (place: string, one: string): boolean =>
  one === place || one.startsWith(place === '' || place.endsWith('/') ? place : `${place}/`);

test('is where everything lies that it covers', () => {
  let covered = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(fc.constantFrom('', '//wt/'), fc.oneof(rel, fc.constant('.'))),
        fc.constant(['', '/elsewhere/a']),
      ),
      fc.option(pattern),
      fc.array(path, { minLength: 10, maxLength: 30 }),
      ([at = '', of = ''], glob, paths) => {
        const real = of === '.' ? spelled(at).replace(/\/$/, '') : spelled(at + of);
        const repo = { root: at === '' ? '/repo' : '/wt', worktree: at === '' ? null : 'wt' };
        const located = {
          target: { path: at + of, abs: real, real },
          space: { repo, facts: () => ({ spelled }) },
        } as unknown as Located;
        const { covers, places } = areaOf(located, { by: 'rm', source: 'rm' }, glob);
        for (const one of paths.filter(covers)) {
          covered++;
          expect(places === undefined || places.some((place) => isAt(place, one))).toBe(true);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(covered).toBeGreaterThan(1_000);
});
