import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDifference } from '../../../src/claude/text/difference.ts';
import { patched } from '../../../src/claude/text/patched.ts';
import { RUNS } from './arbitrary.ts';

const LIMIT = { max_chars: 4_000 };
const told = (before: string, after: string): string => describeDifference(before, after, LIMIT).text;

describe('the changed lines are told with their numbers', () => {
  test.each([
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', '@@ -2,1 +2,1 @@\n-b\n+B'],
    ['an added line', 'a\nc\n', 'a\nb\nc\n', '@@ -1,0 +2,1 @@\n+b'],
    ['a removed line', 'a\nb\nc\n', 'a\nc\n', '@@ -2,1 +1,0 @@\n-b'],
    ['a first line', 'a\n', 'x\na\n', '@@ -0,0 +1,1 @@\n+x'],
    ['two places', 'a\nb\nc\n', 'A\nb\nC\n', '@@ -1,1 +1,1 @@\n-a\n+A\n@@ -3,1 +3,1 @@\n-c\n+C'],
    ['a final newline', 'a', 'a\n', '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a'],
    ['trailing blanks', 'a  \n', 'a\n', '@@ -1,1 +1,1 @@\n-a  \n+a'],
    ['everything gone', 'a\n', '', '@@ -1,1 +0,0 @@\n-a'],
    ['nothing', 'a\n', 'a\n', ''],
  ])('%s', (_name, before, after, text) => {
    expect(describeDifference(before, after, LIMIT)).toEqual({ text, whole: true });
  });
});

describe('what lines do not show is told in words', () => {
  test('other line ends', () => {
    expect(told('a\nb\n', 'a\r\nb\r\n')).toBe('line ends: LF before, CR LF now');
    expect(told('a\r\nb\n', 'a\nb\n')).toBe('line ends: LF and CR LF before, LF now');
    expect(told('a\r\nb\n', 'a\nb\r\n')).toMatch(/^line ends: /);
  });

  test('other line ends and other lines', () => {
    expect(told('a\nb\n', 'a\r\nB\r\n')).toBe('line ends: LF before, CR LF now\n@@ -2,1 +2,1 @@\n-b\n+B');
  });

  test('a first line end is just a line', () => {
    expect(told('a', 'a\r\nb')).not.toMatch(/line ends/);
  });
});

describe('a difference that is too large is summed up', () => {
  const lines = (count: number, text: string): string =>
    Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('');

  test('longer than the limit', () => {
    const after = `${'x'.repeat(5_000)}\n`;
    expect(describeDifference('a\n', after, LIMIT)).toEqual({
      text: 'too much changed to show it here: 1 lines became 1',
      whole: false,
    });
    expect(describeDifference('a\n', after, { max_chars: 6_000 }).whole).toBe(true);
  });

  test('exactly as long as the limit is whole', () => {
    const { text } = describeDifference('a\n', 'b\n', LIMIT);
    expect(describeDifference('a\n', 'b\n', { max_chars: text.length }).whole).toBe(true);
    expect(describeDifference('a\n', 'b\n', { max_chars: text.length - 1 }).whole).toBe(false);
  });

  test('two texts with nothing in common', () => {
    expect(describeDifference(lines(3_000, 'a'), lines(2_000, 'b'), { max_chars: 1e9 })).toEqual({
      text: 'too much changed to show it here: 3000 lines became 2000',
      whole: false,
    });
  });
});

test('whatever is told whole leads from one text to the other', () => {
  const line = fc.constantFrom('a', 'b', '', '@@ -1 +1 @@', '-x', '+y');
  const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.map((one) => `${one}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const difference = describeDifference(before, after, { max_chars: 1e6 });
      expect(difference.whole).toBe(true);
      expect(before === after ? difference.text : patched(before, hunksIn(difference.text))).toBe(
        before === after ? '' : after,
      );
    }),
    RUNS,
  );
});

/** Parses the hunks by their counts, as an agent would. */
function hunksIn(text: string): unknown[] {
  const lines = text.split('\n');
  const hunks: unknown[] = [];
  for (let at = 0; at < lines.length;) {
    const [, start, old, fresh] = /^@@ -(\d+),(\d+) \+\d+,(\d+) @@$/.exec(lines[at] ?? '') ?? [];
    const count = Number(old) + Number(fresh);
    // A hunk without old lines goes after the line it names.
    hunks.push({
      oldStart: Number(start) + (old === '0' ? 1 : 0),
      lines: lines.slice(at + 1, at + 1 + count),
    });
    at += 1 + count;
  }
  return hunks;
}
