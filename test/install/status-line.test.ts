import { describe, expect, it } from 'vitest';
import { mergeStatusLine, stripStatusLine } from '../../src/install/status-line.ts';

const WANTED = { command: 'guard', below: null, refresh_s: null };
const lineIn = (text: string): unknown => (JSON.parse(text) as { statusLine?: unknown }).statusLine;
const withLine = (command: string, more: object = {}): string =>
  `${JSON.stringify({ model: 'x', statusLine: { type: 'command', command, ...more }, env: {} }, null, 2)}\n`;

describe('guard’s status line in settings', () => {
  it('is added where there is none, and gone again', () => {
    const before = '{\n  "model": "x"\n}\n';
    const merged = mergeStatusLine(before, { ...WANTED, refresh_s: 10 }, null);
    expect(lineIn(merged)).toEqual({ type: 'command', command: 'guard statusline', refreshInterval: 10 });
    expect(stripStatusLine(merged, true)).toBe(before);
    expect(stripStatusLine(merged, null)).toBe(before);
    expect(mergeStatusLine(merged, null, null)).toBe(before);
  });

  it.each([
    ['a word', 'starship'],
    ['quotes and blanks', `bash -c 'echo "it'\\''s $HOME"' && "x y"`],
    ['a command that ends like guard’s', 'my-guard statusline --beside'],
    ['two lines', 'a\nb'],
  ])('runs the one that is there beside its own: %s', (_, command) => {
    const before = withLine(command, { padding: 2 });
    const merged = mergeStatusLine(before, WANTED, false);
    expect(lineIn(merged)).toMatchObject({ type: 'command', padding: 2 });
    expect(merged).not.toBe(before);
    for (const is_made of [false, null]) expect(stripStatusLine(merged, is_made)).toBe(before);
    // Again, with guard in another place.
    const moved = mergeStatusLine(merged, { ...WANTED, command: `node '/a b/bin/guard.cjs'` }, false);
    expect(moved).not.toBe(merged);
    expect(stripStatusLine(moved, false)).toBe(before);
    expect(mergeStatusLine(merged, WANTED, false)).toBe(merged);
  });

  it('goes beside what a file says that counts less, and follows it', () => {
    const merged = mergeStatusLine('{}\n', { ...WANTED, below: 'mine' }, null);
    expect(lineIn(merged)).toMatchObject({ command: 'guard statusline --beside mine' });
    const later = mergeStatusLine(merged, { ...WANTED, below: 'other one' }, true);
    expect(lineIn(later)).toMatchObject({ command: `guard statusline --beside 'other one'` });
    expect(lineIn(stripStatusLine(later, true))).toBeUndefined();
  });

  it('leaves alone what is no command, and what nobody asked about', () => {
    const strange = '{"statusLine": {"type": "other", "command": "x"}}';
    expect(mergeStatusLine(strange, WANTED, null)).toBe(strange);
    const foreign = withLine('starship');
    expect(mergeStatusLine(foreign, undefined, null)).toBe(foreign);
    expect(stripStatusLine(foreign, true)).toBe(foreign);
  });
});
