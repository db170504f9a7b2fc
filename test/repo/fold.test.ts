import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assumedFold, foldPath, NO_FOLD, probeFold } from '../../src/repo/fold.ts';
import { put, scratchDir } from './scratch.ts';

const BOTH = { case_fold: true, unicode_fold: true };
const fold = (path: string): string => foldPath(path, BOTH);

describe('folding', () => {
  it('makes one of the names that folding file systems take for one', () => {
    for (const [a, b] of [
      ['Stra\u00dfe', 'STRASSE'],
      ['\u1e9e', 'ss'],
      ['\u017f', 'S'],
      ['\u212a', 'k'],
      ['\u03a3\u0391\u03a3', '\u03c3\u03b1\u03c2'],
      ['caf\u00e9', 'CAFE\u0301'],
      ['a\u00adb', 'ab'],
      ['\ufb01le', 'FILE'],
      ['\u0130', 'i\u0307'],
    ] as const) {
      expect(fold(a)).toBe(fold(b));
    }
  });

  it('is stable, blind to case and to form, and keeps the slashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
        expect(fold(text.toUpperCase())).toBe(fold(text));
        expect(fold(text.normalize('NFD'))).toBe(fold(text));
        expect(fold(text).split('/').length).toBe(text.split('/').length);
      }),
      { numRuns: 2000 },
    );
  });

  it('does nothing where the file system keeps names apart', () => {
    expect(foldPath('SRC/Cafe\u0301', NO_FOLD)).toBe('SRC/Cafe\u0301');
    expect(foldPath('SRC/Cafe\u0301', { case_fold: false, unicode_fold: true })).toBe('SRC/Caf\u00e9');
  });
});

describe('probing', () => {
  const dir = scratchDir();

  it('finds what this file system does, and leaves nothing behind', () => {
    put(join(dir, 'Case'), 'x');
    const folds = existsSync(join(dir, 'cASE'));
    expect(probeFold(dir).case_fold).toBe(folds);
    expect(assumedFold(join(dir, 'Case')).case_fold).toBe(folds);
    expect(readdirSync(dir)).toEqual(['Case']);
  });

  it('looks at the nearest existing name with letters', () => {
    put(join(dir, '123/456'), 'x');
    expect(assumedFold(join(dir, '123/456/789'))).toEqual(assumedFold(join(dir, 'Case')));
    // If both spellings can exist as two files, there is no folding, whatever their content.
    if (!assumedFold(dir).case_fold) {
      put(join(dir, 'two'), 'x');
      put(join(dir, 'TWO'), 'x');
      expect(assumedFold(join(dir, 'two')).case_fold).toBe(false);
    }
    expect(assumedFold('/')).toEqual({ case_fold: false, unicode_fold: process.platform === 'darwin' });
  });
});
