import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../../src/cli/view/cell.ts';
import { wrapCells } from '../../../src/cli/view/wrap.ts';

describe('text wider than the terminal', () => {
  it('is broken at blanks', () => {
    expect(wrapCells('run guard init --scope user', 16)).toEqual(['run guard init', '--scope user']);
  });

  it('keeps its indentation, and more on further lines', () => {
    expect(wrapCells(`  ${'a'.repeat(20)} bb`, 24)).toEqual([`  ${'a'.repeat(20)}`, '    bb']);
  });

  it('has every character of a word that is wider than a line', () => {
    expect(wrapCells('packages/価格/src', 8)).toEqual(['packages', '/価格/sr', 'c']);
  });

  it('loses nothing but blanks, and is never wider than asked', () => {
    const word = fc.constantFrom('a', 'packages/cart/src/part.ts', '价格说明', '🚀', '', '  ');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.integer({ min: 2, max: 40 }), (words, width) => {
        const text = words.join(' ');
        const lines = wrapCells(text, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 100 },
    );
  });
});
