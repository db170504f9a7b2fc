/** The part of a watched command's output that fits a terminal. */
import { describe, expect, it } from 'vitest';
import { onScreen } from '../../src/cli/watch-loop.ts';

const text = (lines: number): string => Array.from({ length: lines }, (_, n) => `${n}\n`).join('');

describe('a screen', () => {
  it('has everything where that fits, with the line of the cursor', () => {
    expect(onScreen(text(23), 24)).toBe(text(23));
  });

  it('else has what is first, how much is left out, and what is last', () => {
    expect(onScreen(text(30), 6)).toBe('0\n1\n2\n… and 26 more lines\n29\n');
  });

  it('of unknown size, or that is too small for that, has everything', () => {
    expect(onScreen(text(99), undefined)).toBe(text(99));
    expect(onScreen(text(99), 2)).toBe(text(99));
  });
});
