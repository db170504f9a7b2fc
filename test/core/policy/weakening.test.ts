import { describe, expect, it } from 'vitest';
import { type Guarding, isLessGuarded } from '../../../src/core/policy/weakening.ts';

const standard: Guarding = {
  floors: { enforcement: 'required', unread: 'changed' },
  hooks: ['0 PreToolUse Edit', '0 PostToolUse Edit'],
};

describe('a repository is less guarded', () => {
  it.each<[string, Guarding, boolean]>([
    ['with the same: no', standard, false],
    ['with a weaker enforcement', { ...standard, floors: { enforcement: 'auto', unread: 'always' } }, true],
    [
      'where unread files may be written',
      { ...standard, floors: { enforcement: 'required', unread: 'off' } },
      true,
    ],
    ['where nothing is required any more', { ...standard, floors: null }, true],
    ['without one of its hooks', { ...standard, hooks: ['0 PreToolUse Edit', '0 Stop'] }, true],
    [
      'with more hooks and a stricter preset: no',
      {
        floors: { enforcement: 'required', unread: 'always' },
        hooks: [...standard.hooks, '0 Stop'],
      },
      false,
    ],
  ])('%s', (_, after, less) => {
    expect(isLessGuarded(after, standard)).toBe(less);
  });

  it('where nothing was required before: only by a lost hook', () => {
    expect(isLessGuarded(standard, { ...standard, floors: null })).toBe(false);
  });
});
