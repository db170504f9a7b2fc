/** `guard deadlock --watch`, `guard forecast --watch` and `guard agent list --watch` on a terminal. */
import { describe, expect, it } from 'vitest';
import { AT_TOP, pageLines, pageMoved, type PageState } from '../../../src/cli/board/page.ts';
import { cellWidth } from '../../../src/cli/view/cell.ts';

const text = (lines: number): string => Array.from({ length: lines }, (_, n) => `${n}\n`).join('');
const at = (told: string, rows: number, state: PageState = AT_TOP): readonly string[] =>
  pageLines(told, { columns: 40, rows }, state);

describe('a page', () => {
  it('has everything where that fits, and the keys', () => {
    expect(at(text(2), 4)).toEqual(['0', '1', '', 'q quit  j/k move']);
  });

  it('else has what is first, how much is left out, and what is last', () => {
    expect(at(text(30), 7)).toEqual(['0', '1', '2', '3', '… and 25 more lines', '29', 'q quit  j/k move']);
  });

  it('fills a terminal of any size exactly, with colours and wide characters', () => {
    const told = `\u001b[31m${'价格'.repeat(30)}\u001b[39m\n`.repeat(20);
    for (const columns of [1, 2, 21, 200])
      for (const rows of [1, 2, 3, 12, 40]) {
        const lines = pageLines(told, { columns, rows }, { first: 3 });
        expect(lines).toHaveLength(rows);
        expect(Math.max(...lines.map(cellWidth))).toBeLessThanOrEqual(columns);
      }
  });

  it('moves by lines and by what the terminal shows, never beyond the end', () => {
    const shown = { text: text(30), rows: 11 };
    const play = (...names: string[]): number =>
      names.reduce(
        (state, name) => pageMoved(state, { name: name.toLowerCase(), sequence: name }, shown),
        AT_TOP,
      ).first;
    expect(play('j', 'j', 'k')).toBe(1);
    expect(play('pagedown')).toBe(9);
    expect(play('G')).toBe(20);
    expect(play('end', 'pageup', 'g')).toBe(0);
    expect(at(text(30), 11, { first: play('pagedown') })).toEqual([
      ...Array.from({ length: 10 }, (_, n) => String(n + 9)),
      'q quit  j/k move',
    ]);
    // What it shows has become shorter.
    expect(at(text(12), 11, { first: 20 })[0]).toBe('2');
  });
});
