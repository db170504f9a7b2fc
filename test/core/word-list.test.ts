import { expect, test } from 'vitest';
import { wordList } from '../../src/core/word-list.ts';

const list = wordList('add cherry-pick\n  cherry add-on\n  stash');

test('knows the words that were written, at the ends of lines too', () => {
  for (const word of ['add', 'cherry-pick', 'cherry', 'add-on', 'stash']) expect(list.has(word)).toBe(true);
  expect(list.all()).toEqual(['add', 'cherry-pick', 'cherry', 'add-on', 'stash']);
});

test('knows no part of a word, no two of them, and not nothing', () => {
  for (const word of [
    '',
    ' ',
    '\n',
    'ad',
    'dd',
    'pick',
    '-pick',
    'stas',
    'add cherry-pick',
    'pick\n  cherry',
    '\n  stash',
  ])
    expect(list.has(word)).toBe(false);
});
