import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { boardOf } from '../../../src/cli/board/board.ts';
import { afterDeed, noteShown, READ_MS } from '../../../src/cli/board/asking.ts';
import { repaint } from '../../../src/cli/board/paint.ts';
import { type Deed, pressed, type Pressed } from '../../../src/cli/board/keys.ts';
import { screenLines } from '../../../src/cli/board/screen.ts';
import { AT_FIRST, type ScreenState } from '../../../src/cli/board/screen-state.ts';
import { BUSY, crowd, NOW_MS, QUIET } from './told.ts';

const BOARD = boardOf(BUSY, NOW_MS, true);
const key = (word: string): Pressed =>
  ({
    Enter: { name: 'return', sequence: '\r' },
    Esc: { name: 'escape', sequence: '\u001b' },
    Tab: { name: 'tab', sequence: '\t' },
    BackTab: { name: 'tab', shift: true, sequence: '\u001b[Z' },
    PageDown: { name: 'pagedown', sequence: '\u001b[6~' },
  })[word] ?? {
    name: word,
    sequence: word,
  };

/** Keys that a person presses with time to read: each request succeeds, and its note is shown long enough. */
function play(words: readonly string[], board = BOARD, rows = 40): { state: ScreenState; deeds: Deed[] } {
  let state = AT_FIRST;
  const deeds: Deed[] = [];
  words.forEach((word, nth) => {
    const { state: next, deed } = pressed(board, state, key(word), { now_ms: nth * READ_MS, rows });
    state = next;
    if (deed === undefined) return;
    deeds.push(deed);
    if (!('held' in deed)) return;
    state = noteShown(afterDeed(state, deed, { is_done: true, note: 'Done.' }), deed.held, nth * READ_MS);
  });
  return { state, deeds };
}

const shown = (words: readonly string[], rows = 40, board = BOARD): string =>
  screenLines(board, { columns: 100, rows }, play(words, board, rows).state, createColors(false)).join('\n');

describe('keys', () => {
  it('q and Ctrl-C end it, Ctrl-Z puts it aside, in a filter too', () => {
    expect(play(['q']).deeds).toEqual([{ does: 'quit' }]);
    const typing = play(['/']).state;
    const at = { now_ms: 0, rows: 40 };
    expect(pressed(BOARD, typing, { name: 'c', ctrl: true }, at).deed).toEqual({ does: 'quit' });
    expect(pressed(BOARD, typing, { name: 'z', ctrl: true }, at).deed).toEqual({ does: 'suspend' });
    expect(pressed(BOARD, typing, key('q'), at).deed).toBeUndefined();
  });

  it('j and k choose a row, no further than there are rows', () => {
    expect(shown(['j'])).toMatch(/^> deadlock/m);
    expect(shown(['j', 'j', 'k', 'k', 'k'])).toMatch(/^> deadlock/m);
    expect(shown(['G'])).toMatch(/^> api\/\*\*/m);
    expect(play(['j', 'k'], boardOf(QUIET, NOW_MS, true)).state.selected).toBeNull();
  });

  it('Enter shows all there is to say of a row, and takes it away again', () => {
    const open = shown(['j', 'j', 'Enter']);
    expect(open).toContain('bob (claude-bob) has waited 3m for packages/cart/src/part-3.ts');
    expect(open).not.toContain('Agents');
    expect(shown(['j', 'j', 'Enter', 'Enter'])).toContain('Agents');
    expect(shown(['j', 'j', 'Enter', 'Esc'])).toContain('Agents');
  });

  it('/ shows only rows of which something says it', () => {
    const rows = shown(['/', 'CART', 'Enter']);
    expect(rows).toContain('packages/cart');
    expect(rows).not.toContain('unguarded');
    expect(shown(['/', 'nothing like it'])).not.toContain('Locks');
    expect(play(['/', 'a', 'backspace', 'b']).state.filter).toBe('b');
    expect(shown(['/', 'x', 'Enter', 'Esc'])).toContain('unguarded');
  });

  it('Tab and Shift-Tab go from section to section, round and round', () => {
    const firsts = BOARD.sections.map(({ rows: [row] }) => row?.id);
    const after = (...words: string[]): string | null => play(words).state.selected;
    expect(firsts.map((_, nth) => after(...Array.from({ length: nth + 1 }, () => 'Tab')))).toEqual(firsts);
    expect(after(...firsts.map(() => 'Tab'), 'Tab')).toBe(firsts[0]);
    expect(after('BackTab')).toBe(firsts.at(-1));
    expect(after('Tab', 'Tab', 'j', 'BackTab')).toBe(firsts[0]);
    expect(play(['Tab'], boardOf(QUIET, NOW_MS, true)).state.selected).toBeNull();
  });

  it('a page is as many rows as the terminal has lines', () => {
    const many = boardOf(crowd(100, 1_000), NOW_MS, true);
    const at = (rows: number): number => {
      const { selected } = play(['g', 'PageDown'], many, rows).state;
      return many.sections.flatMap((section) => section.rows).findIndex(({ id }) => id === selected);
    };
    expect([12, 52].map(at)).toEqual([10, 50]);
  });

  it('a chosen row is on the page, however far down', () => {
    const many = boardOf(crowd(100, 1_000), NOW_MS, true);
    for (const words of [['G'], ['G', 'k'], Array.from({ length: 120 }, () => 'j')])
      expect(shown(words, 12, many)).toMatch(/^> /m);
  });
});

describe('r', () => {
  it('asks the holder first, and takes the files back the second time', () => {
    const path = 'packages/cart/src/part-3.ts';
    const held = { by: 'claude-ann', name: 'ann', paths: [path], areas: [path] };
    expect(play(['j', 'j', 'r']).deeds).toEqual([{ does: 'ask', held }]);
    expect(play(['j', 'j', 'r', 'r']).deeds).toEqual([
      { does: 'ask', held },
      { does: 'take', held },
    ]);
  });

  it('asks again where anything came between, and never takes another row', () => {
    const does = (words: readonly string[]): string[] => play(words).deeds.map((deed) => deed.does);
    expect(does(['j', 'j', 'r', 'j', 'k', 'r'])).toEqual(['ask', 'ask']);
    expect(does(['j', 'j', 'r', 'Enter', 'r'])).toEqual(['ask', 'ask']);
    expect(does(['j', 'j', 'r', 'r', 'r'])).toEqual(['ask', 'take', 'ask']);
  });

  it('says what to do where no lock was chosen', () => {
    expect(play(['r']).deeds).toEqual([]);
    expect(shown(['r'])).toContain('Choose a lock first');
  });
});

describe('painting', () => {
  it('writes the lines that are others, and nothing where none is', () => {
    const before = ['a', 'b', 'c'];
    expect(repaint(before, before)).toBe('');
    const text = repaint(before, ['a', 'B', 'c']);
    expect(text).toContain('B');
    expect(text).not.toContain('c');
    expect(repaint(null, ['a', 'b'])).toMatch(/a[^]*b/);
  });
});
