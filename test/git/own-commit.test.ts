import { describe, expect, it } from 'vitest';
import { ownCommit } from '../../src/git/own-commit.ts';

const many = (of: string, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `${of}${String(nth)}`);

describe('the commit without the files of others', () => {
  it('names own files, from where the caller stands', () => {
    expect(ownCommit({ mine: ['src/a.ts', 'b c'], theirs: ['x'], prefix: 'src/' })).toBe(
      "git commit -- a.ts '../b c'",
    );
  });

  it('leaves theirs out where there are many own ones', () => {
    expect(ownCommit({ mine: many('m', 21), theirs: ['x'], prefix: '' })).toBe(
      'git restore --staged -- x && git commit',
    );
  });

  it.each([
    ['nothing is left', { mine: [], theirs: ['x'] }],
    ['both are many', { mine: many('m', 21), theirs: many('t', 21) }],
    ['a name cannot be shown', { mine: ['a\u001b[2J'], theirs: ['x'] }],
    ['a name has no spelling', { mine: ['n\uFFFD'], theirs: ['x'] }],
  ])('is not named where %s', (_, split) => {
    expect(ownCommit({ ...split, prefix: '' })).toBeNull();
  });

  it('takes magic characters as they are', () => {
    expect(ownCommit({ mine: ['x[1]*', ':a'], theirs: ['x'], prefix: '' })).toBe(
      "git --literal-pathspecs commit -- 'x[1]*' :a",
    );
  });
});
